import { CONNECT_AGENTS } from '../../../item/connect.ts';
import type { ConnectPlace, ConnectStep } from '../../../item/connect-step.ts';
import { CopyLine } from './form.tsx';

/** The path of a reader's page of links, below which the others are. */
export const LINKS = '/dashboard/connect';

/** The lines for every agent, each folded under its name; the first is open. */
export function AgentSteps({ place }: { place: ConnectPlace }) {
  return (
    <div class="agents">
      {CONNECT_AGENTS.map(({ name, title, steps }, n) => (
        <details key={name} id={name} open={n === 0}>
          <summary>{title}</summary>
          {steps(place).map((step) => (
            <Step key={step.line} step={step} />
          ))}
        </details>
      ))}
    </div>
  );
}

function Step({ step: { does, line, file, kept, undo } }: { step: ConnectStep }) {
  return (
    <div class="stack">
      <CopyLine text={line} label={file === null ? does : `${does} Put this into ${file}:`} />
      {(kept !== null || undo !== null) && (
        <p class="hint">
          {kept}
          {undo !== null && (
            <>
              {' '}
              To undo: <code>{undo}</code>
            </>
          )}
        </p>
      )}
    </div>
  );
}
