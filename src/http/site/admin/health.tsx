import type { Diagnosis } from '../../../service/doctor/doctor.ts';

/** The stall's problems with their remedies; passed checks are folded away. */
export function Health({ diagnoses }: { diagnoses: readonly Diagnosis[] }) {
  const wrong = diagnoses.filter(({ status }) => status === 'fail' || status === 'warn');
  const well = diagnoses.filter(({ status }) => status === 'ok');
  return (
    <>
      {wrong.length > 0 && (
        <ul class="warnings" aria-label="Needs attention">
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
        <summary>{`${well.length} checks passed`}</summary>
        <dl class="facts">
          {well.map(({ check, sentence }) => (
            <>
              <dt>{check}</dt>
              <dd>{sentence}</dd>
            </>
          ))}
        </dl>
        <p class="quiet">
          <code>bookstall doctor</code> checks more: the whole database, all content and the model.
        </p>
      </details>
    </>
  );
}
