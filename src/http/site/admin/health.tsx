import type { Diagnosis } from '../../../service/doctor/doctor.ts';

/** What is wrong with the stall and what to do about it; what is well is told on request. */
export function Health({ diagnoses }: { diagnoses: readonly Diagnosis[] }) {
  const wrong = diagnoses.filter(({ status }) => status === 'fail' || status === 'warn');
  const well = diagnoses.filter(({ status }) => status === 'ok');
  return (
    <>
      {wrong.length > 0 && (
        <ul class="warnings" aria-label="What needs attention">
          {wrong
            .toSorted((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'))
            .map(({ check, status, sentence, remedy }) => (
              <li key={check} class={status === 'fail' ? 'bad' : undefined}>
                <strong>{sentence}.</strong> {remedy}.
              </li>
            ))}
        </ul>
      )}
      <details>
        <summary>{`${well.length} checks found nothing wrong`}</summary>
        <dl class="facts">
          {well.map(({ check, sentence }) => (
            <>
              <dt>{check}</dt>
              <dd>{sentence}</dd>
            </>
          ))}
        </dl>
        <p class="quiet">
          <code>bookstall doctor</code> looks further: into the whole database, all content, and at the model.
        </p>
      </details>
    </>
  );
}
