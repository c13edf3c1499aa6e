import type { Principal } from '../platform/base/principal.ts';
import { assetUrl } from '../platform/site/assets.ts';
import { Facts } from '../platform/site/data-table.tsx';
import { CopyLine } from '../platform/site/form.tsx';
import { Notice, sendPage } from '../platform/site/page.tsx';
import type { Http } from './stall.ts';

export const CHECK_QUOTE = '/check-quote';

const FACTS = ['slug', 'version', 'path', 'key', 'signed'] as const;
const COMMAND = 'bookstall check-quote FILE --signer SHA256:…';

/** Shows the page that checks a proof in the browser: its script fills the fields by their names in `data-proof`. */
export function showCheck({ viewOf }: Http, principal: Principal): Response {
  const view = viewOf(principal);
  const { checkQuote: words } = view.words.reading;
  return sendPage(
    view,
    { title: words.title, lead: words.lead, canonical: CHECK_QUOTE, description: words.lead },
    <>
      <p class="script-only">
        <label>
          {words.file} <input type="file" id="proof-file" accept="application/json,.json" />
        </label>
      </p>
      <div aria-live="polite">
        <section data-result="good" hidden>
          <Notice kind="good">{words.good}</Notice>
          <blockquote class="disclosed" dir="auto">
            <span data-proof="before" />
            <b data-proof="quote" />
            <span data-proof="after" />
          </blockquote>
          <p class="quiet">{words.bold}</p>
          <Facts
            facts={FACTS.map((name) => [
              words.facts[name],
              name === 'slug' ? <a data-proof={name} target="_blank" /> : <span data-proof={name} />,
            ])}
          />
          <h2>{words.meaning}</h2>
          <ul>
            {words.means.map((sentence) => (
              <li>{sentence}</li>
            ))}
          </ul>
        </section>
        {(['bad', 'other', 'unknown'] as const).map((result) => (
          <div data-result={result} hidden>
            <Notice kind={result === 'bad' ? 'bad' : 'warn'}>{words[result]}</Notice>
          </div>
        ))}
      </div>
      <CopyLine text={COMMAND} label={words.byCommand} />
      <script src={assetUrl('check-quote.js')} defer />
    </>,
  );
}
