import { renderToString } from 'preact-render-to-string';
import type { Edition } from '../../../catalog/edition.ts';
import { markAddress, readingAddress } from '../../../catalog/reading/item-links.ts';
import { directionOf } from '../../../markup/direction.ts';
import type { AskEvent, Citation } from '../../../service/answer.ts';
import { type FoundHeading, headingPath } from '../../../service/contents.ts';
import { ItemTitle } from '../parts/item-title.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';
import { QuestionForm } from './question-form.tsx';

/** A question on its way: `token` is of the form that asks again. */
export type Asked = { readonly edition: Edition; readonly question: string; readonly token: string };

type Ending = Extract<AskEvent, { type: 'done' }>;

/** Where in the page the answer goes. */
export const answerPlace = `<i>${crypto.randomUUID()}</i>`;

/** Shown until the answer begins: styles hide it once anything follows it. */
const WRITING = '<p class="writing" lang="en" dir="ltr">The answer is being written…</p>';

/** A Map, since an engine may name any outcome. */
const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['quoted', 'Quoted from the book; no model wrote this.'],
  ['answered', 'Written by a model; each number leads to the words of the book it rests on.'],
  ['not_covered', 'The book does not seem to cover this.'],
  ['unsupported', 'No words of the book support this answer.'],
  ['declined', 'The model declined to answer.'],
]);

/** The page around an answer. */
export function AnswerPage({ asked: { edition, question } }: { readonly asked: Asked }) {
  const { slug, title, language } = edition.manifest;
  return (
    <>
      <PageHeading
        title={
          <>
            Ask <ItemTitle title={title} language={language} />
          </>
        }
        lead={<a href={`/books/${slug}`}>Back to the book</a>}
      />
      <blockquote class="question">{question}</blockquote>
      <div
        class="answer-page"
        lang={language ?? undefined}
        dir={directionOf(language)}
        dangerouslySetInnerHTML={{
          __html: `<div class="answer reading" aria-live="polite">${WRITING}${answerPlace}`,
        }}
      />
    </>
  );
}

/** The end of an answer with the headings that come closest to a question that the book does not cover. */
export type Ended = Ending & { readonly headings: readonly FoundHeading[] };

/** What follows the answer: how it came about, its notes, and the form to ask again. */
export function endHtml(ending: Ended, asked: Asked): string {
  return `</div>${renderToString(<End ending={ending} asked={asked} />)}`;
}

function End({ ending, asked }: { readonly ending: Ended; readonly asked: Asked }) {
  const { outcome, engine, model, truncated, citations, headings } = ending;
  return (
    <div lang="en" dir="ltr">
      <p class="place">
        {OUTCOMES.get(outcome) ?? `Outcome: ${outcome}.`}
        {truncated ? ' The answer was cut short.' : ''} Engine: {engine}
        {model === null ? '' : `, model ${model}`}.
      </p>
      {outcome === 'not_covered' && <Nearest headings={headings} edition={asked.edition} />}
      {citations.length > 0 && <Notes citations={citations} edition={asked.edition} />}
      <Again asked={asked} />
    </div>
  );
}

function Nearest({
  headings,
  edition: { manifest },
}: {
  readonly headings: readonly FoundHeading[];
  readonly edition: Edition;
}) {
  const [lang, dir] = [manifest.language ?? undefined, directionOf(manifest.language)];
  return (
    <section>
      {headings.length > 0 && (
        <>
          <h2>Nearest in the book</h2>
          <ul lang={lang} dir={dir}>
            {headings.map(({ path, id, title }) => (
              <li key={`${path} ${id}`}>
                <a href={readingAddress(manifest, path) + (id === null ? '' : `#${id}`)}>{title}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a href={`/books/${manifest.slug}#contents`}>Look through its contents</a>
      </p>
    </section>
  );
}

function Notes({
  citations,
  edition,
}: {
  readonly citations: readonly Citation[];
  readonly edition: Edition;
}) {
  const lang = edition.manifest.language;
  return (
    <section>
      <h2>Notes</h2>
      <ol class="found">
        {citations.map((citation) => (
          <li
            key={citation.n}
            id={`note-${citation.n}`}
            value={citation.n}
            lang={lang ?? undefined}
            dir={directionOf(lang)}
          >
            <blockquote>{citation.quote}</blockquote>
            <p class="place">
              <a href={markAddress(edition.manifest, citation)}>{headingPath(edition, citation)}</a>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The end of an answer that broke off. */
export function failureHtml(sentence: string, asked: Asked): string {
  return `</div>${renderToString(
    <div lang="en" dir="ltr">
      <Notice kind="bad">{sentence}</Notice>
      <Again asked={asked} />
    </div>,
  )}`;
}

function Again({ asked: { edition, question, token } }: { readonly asked: Asked }) {
  return (
    <section>
      <h2>Ask again</h2>
      <QuestionForm edition={edition} token={token} question={question} samples={[]} />
    </section>
  );
}
