import { Checkbox, CopyLine } from '../platform/site/form.tsx';
import { ASSISTANTS } from '../platform/site/linked-pages.ts';
import { useWords } from '../platform/site/words.tsx';
import type { Form } from '../platform/http/body.ts';
import type { Words } from '../words/words.ts';

/** The address that a reader adds to their assistant as a connector, and where to do that. */
export const ConnectorAddress = ({ origin, words }: { origin: string; words: Words['assistants'] }) => (
  <section id="connector">
    <p>{words.way}</p>
    <CopyLine text={`${origin}/mcp/library`} label={words.address} />
    <p class="quiet">
      {words.claude} {words.chatgpt}
    </p>
    <CopyLine text={`claude mcp add --transport http bookstall ${origin}/mcp/library`} label="Claude Code" />
    <CopyLine
      text={`codex mcp add bookstall --url ${origin}/mcp/library && codex mcp login bookstall`}
      label="Codex"
    />
  </section>
);

export const ConnectFirst = ({ origin, words }: { origin: string; words: Words['assistants'] }) => (
  <>
    <ConnectorAddress origin={origin} words={words} />
    <p>
      <a href={ASSISTANTS}>{words.all}</a>
    </p>
  </>
);

/** The checkbox beside a new password or address that disconnects the account's assistants. It is ticked at first. */
export const DisconnectToo = () => (
  <Checkbox label={useWords().assistants.disconnectToo} name="disconnect" checked />
);

export const readDisconnect = (form: Form): boolean => form.text('disconnect') === 'on';
