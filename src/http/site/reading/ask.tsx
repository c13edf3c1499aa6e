import type { Edition } from '../../../catalog/catalog.ts';
import { isTooLong, LONGEST_QUESTION } from '../../../passages/question-words.ts';
import {
  type ContentsEntry,
  findHeadings,
  type FoundHeading,
  headingPath,
} from '../../../service/contents.ts';
import type { AskEvent, Citation, NearPlace } from '../../../service/answer.ts';
import { IDLE } from '../../sender.ts';
import { createFrameStream, openEventStream } from '../../stream.ts';
import { describeFailure } from '../../failure.ts';
import { type Form as TypedForm, readForm } from '../../body.ts';
import { htmlHeaders, movedPage, Notice, sendPage, splitPage, type View } from '../frame/page.tsx';
import type { Http } from '../../http.ts';
import { createAnswerText } from './answer-text.ts';
import { inItsLanguage, ItemTitle } from '../parts/shelf.tsx';
import { ask, findAskable } from '../../../service/ask.ts';
import { renderToString } from 'preact-render-to-string';
import { markAddress, readingAddress } from '../../../catalog/item-links.ts';
import { Button, Field, Form, TextArea } from '../parts/form.tsx';
import type { Principal, SessionPrincipal } from '../../../access/principal.ts';
import { shownText } from '../../../passages/shown-text.ts';
import type { FoundPassage } from '../../../passages/split.ts';
import { searchBook } from '../../../service/agent-texts.ts';
import { Empty } from '../parts/data-table.tsx';
import { titleOf } from './chapter.tsx';

const encoder = new TextEncoder();
/** After this long without a word the page is shown, which says that the answer is being written, in milliseconds. */
const SILENCE = 1_000;
/** Keeps proxies and timers from cutting a silent answer. */
const COMMENT = encoder.encode('<!-- waiting -->');

/** The form of a question to a book. */
export async function showQuestionForm(
  { stall, tokens, viewOf }: Http,
  request: Request,
  member: SessionPrincipal,
  slug: string,
  typed: { readonly question: string; readonly word: string } | null = null,
): Promise<Response> {
  const { edition, contents } = await findAskable(stall, member, slug);
  const away = request.method === 'POST' ? null : movedPage(request, edition, slug);
  if (away !== null) return away;
  return sendPage(
    viewOf(member),
    { title: `Ask ${edition.manifest.title}`, ...askHead(edition) },
    <>
      {typed !== null && <Notice kind="plain">{typed.word}</Notice>}
      <QuestionForm
        edition={edition}
        token={tokens.issue(member.sessionId)}
        question={typed?.question ?? ''}
        samples={typed === null ? sampleQuestions(edition, contents) : []}
      />
    </>,
  );
}

/** The heading of a page that asks a book. */
const askHead = ({ manifest }: Edition) => ({
  heading: (
    <>
      Ask <ItemTitle {...manifest} />
    </>
  ),
  lead: <a href={`/books/${manifest.slug}`}>Back to the book</a>,
});

/** Three questions about chapters of the book. */
function sampleQuestions({ manifest }: Edition, contents: readonly ContentsEntry[]): readonly string[] {
  return contents
    .map(({ title }) => title)
    .filter((title) => title !== manifest.title)
    .slice(0, 3)
    .map((title) => `What does the book say about “${title}”?`);
}

/** The question of a form; what is wrong with it is said above the form, with the question kept. */
function readQuestion(form: TypedForm): { readonly question: string; readonly fault: string | null } {
  const question = (form.text('sample') || form.text('question')).trim();
  if (question === '') return { question, fault: 'Type a question first.' };
  return {
    question,
    fault: isTooLong(question)
      ? `The question is longer than ${LONGEST_QUESTION} characters: shorten it.`
      : null,
  };
}

/** A question's answer, as a page that grows while it comes. */
export async function showAnswer(http: Http, request: Request, member: SessionPrincipal, slug: string) {
  const { tokens } = http;
  const form = await readForm(request);
  const { question, fault } = readQuestion(form);
  if (fault !== null) return showQuestionForm(http, request, member, slug, { question, word: fault });
  if (!tokens.take(member.sessionId, form.text('token')))
    return showQuestionForm(http, request, member, slug, {
      question,
      word: 'This question was sent before. Ask it again if you want another answer.',
    });
  const { edition } = await findAskable(http.stall, member, slug);
  return stream(http, request, member, { edition, question, token: tokens.issue(member.sessionId) });
}

async function stream(
  { stall, viewOf, budgets, connections, requestLog }: Http,
  request: Request,
  member: SessionPrincipal,
  asked: Asked,
): Promise<Response> {
  const place = budgets.enterStream(member);
  const leave = (): void => {
    place.leave();
    connections.allowSilence(request, IDLE);
  };
  try {
    connections.allowSilence(request, 0);
    const view = viewOf(member);
    const bookId = asked.edition.manifest.id ?? '';
    const events = withHeadings(
      await ask(stall, member, { bookId, query: asked.question, door: 'page' }, request.signal),
      (places) => findHeadings(stall, asked.edition, places),
    );
    const text = createAnswerText();
    const toFrame = (event: PageEvent) =>
      encoder.encode(event.type === 'chunk' ? text.push(event) : text.end() + endHtml(event, asked));
    const onError = (error: unknown) => {
      const { error: sentence } = describeFailure(error, requestLog.of(request), stall.log);
      return encoder.encode(text.end() + failureHtml(sentence, asked));
    };
    const frames = await openEventStream(events, toFrame, onError, SILENCE, COMMENT);
    const watcher = requestLog.watch(request, '/books/:slug/ask');
    const end = (): void => {
      leave();
      watcher.end();
    };
    return new Response(createFrameStream(around(view, asked, frames), { sent: watcher.sent, end }), {
      headers: { ...htmlHeaders(view), 'X-Accel-Buffering': 'no' },
    });
  } catch (error) {
    leave();
    throw error;
  }
}

type PageEvent = Extract<AskEvent, { type: 'chunk' }> | Ended;

/** The events with the headings found that an answer may name at its end. */
async function* withHeadings(
  events: AsyncGenerator<AskEvent>,
  find: (places: readonly NearPlace[]) => Promise<Ended['headings']>,
): AsyncGenerator<PageEvent> {
  for await (const event of events)
    yield event.type === 'chunk' ? event : { ...event, headings: await find(event.nearest ?? []) };
}

/** The page's beginning, the answer as it comes, and the page's end. */
async function* around(view: View, asked: Asked, frames: AsyncGenerator<Uint8Array<ArrayBuffer>>) {
  const { title } = asked.edition.manifest;
  const [before, after] = splitPage(
    view,
    { title: `Answer · ${title}`, ...askHead(asked.edition) },
    <AnswerPage asked={asked} />,
    answerPlace,
  );
  try {
    yield encoder.encode(before);
    yield* frames;
    yield encoder.encode(after);
  } finally {
    await frames.return(undefined);
  }
}

/** A question on its way: `token` is of the form that asks again. */
type Asked = { readonly edition: Edition; readonly question: string; readonly token: string };

type Ending = Extract<AskEvent, { type: 'done' }>;

/** Where in the page the answer goes. */
const answerPlace = `<i>${crypto.randomUUID()}</i>`;

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
function AnswerPage({ asked: { edition, question } }: { readonly asked: Asked }) {
  return (
    <>
      <blockquote class="question">{question}</blockquote>
      <div
        class="answer-page"
        {...inItsLanguage(edition.manifest)}
        dangerouslySetInnerHTML={{
          __html: `<div class="answer reading" aria-live="polite">${WRITING}${answerPlace}`,
        }}
      />
    </>
  );
}

/** The end of an answer with the headings that come closest to a question that the book does not cover. */
type Ended = Ending & { readonly headings: readonly FoundHeading[] };

/** What follows the answer: how it came about, its notes, and the form to ask again. */
function endHtml(ending: Ended, asked: Asked): string {
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
  headings: readonly FoundHeading[];
  edition: Edition;
}) {
  return (
    <section>
      {headings.length > 0 && (
        <>
          <h2>Nearest in the book</h2>
          <ul {...inItsLanguage(manifest)}>
            {headings.map(({ path, id, title }) => (
              <li>
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

function Notes({ citations, edition }: { citations: readonly Citation[]; edition: Edition }) {
  return (
    <section>
      <h2>Notes</h2>
      <ol class="found">
        {citations.map((citation) => (
          <li id={`note-${citation.n}`} value={citation.n} {...inItsLanguage(edition.manifest)}>
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
function failureHtml(sentence: string, asked: Asked): string {
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

type QuestionFormProps = {
  readonly edition: Edition;
  readonly token: string;
  readonly question: string;
  readonly samples: readonly string[];
};

/** The form that asks a book; its token counts once, so that a reload asks nothing. */
function QuestionForm({ edition: { manifest }, token, question, samples }: QuestionFormProps) {
  return (
    <Form action={`/books/${manifest.slug}/ask`} label="Ask the book">
      <input type="hidden" name="token" value={token} />
      <TextArea
        label="Your question"
        name="question"
        value={question}
        rows={3}
        hint="The question is not stored."
      />
      <Button>Ask</Button>
      {samples.length > 0 && (
        <div class="samples">
          <p>Or ask one of these:</p>
          {samples.map((sample) => (
            <Button kind="quiet" name="sample" value={sample}>
              {sample}
            </Button>
          ))}
        </div>
      )}
    </Form>
  );
}

/** Of a passage that much is shown, in characters. */
const SNIPPET = 300;

/** The passages of a book that hold some words. The words are never logged. */
export async function showSearch(
  { stall, viewOf, sender }: Http,
  request: Request,
  principal: Principal,
  slug: string,
  typed: string,
): Promise<Response> {
  const words = typed.trim();
  const isSearch = words !== '' && [...words].length <= LONGEST_SEARCH;
  // A search in a long book takes tens of milliseconds.
  if (isSearch) await sender.turn(request);
  const { edition, contents, passages } = await searchBook(stall, principal, slug, isSearch ? words : '');
  const away = movedPage(request, edition, slug);
  if (away !== null) return away;
  const { manifest } = edition;
  const hashes = new Map(edition.files.map(({ path, sha256 }) => [path, sha256]));
  return sendPage(
    viewOf(principal),
    {
      title: `Search ${manifest.title}`,
      heading: (
        <>
          Search <ItemTitle {...manifest} />
        </>
      ),
      lead: <a href={`/books/${slug}`}>Back to the book</a>,
    },
    <>
      <SearchForm slug={slug} words={words.slice(0, 2 * LONGEST_SEARCH)} />
      {isSearch && passages.length === 0 && <Empty>No passage that you may read holds these words.</Empty>}
      <ol class="found" {...inItsLanguage(manifest)}>
        {passages.map((passage) => (
          <li>
            <a href={markAddress(manifest, { ...passage, sha256: hashes.get(passage.path) ?? '' })}>
              {titleOf(contents, passage.path)}
            </a>
            {passage.heading !== '' && <p class="place">{shownText(passage.heading)}</p>}
            <p>{snippetOf(passage)}</p>
          </li>
        ))}
      </ol>
    </>,
  );
}

function snippetOf({ text }: FoundPassage): string {
  const plain = shownText(text).replace(/\s+/g, ' ').trim();
  const characters = [...plain];
  return characters.length > SNIPPET ? `${characters.slice(0, SNIPPET).join('').trimEnd()}…` : plain;
}

/** The longest search in a book, in code points. */
const LONGEST_SEARCH = 200;

/** The form that searches one book. */
export function SearchForm({ slug, words }: { readonly slug: string; readonly words: string }) {
  return (
    <form class="search" action={`/books/${slug}/search`} role="search">
      <Field
        label="Search in this book"
        name="q"
        type="search"
        value={words}
        maxLength={LONGEST_SEARCH}
        required
      />
      <Button kind="quiet">Search</Button>
    </form>
  );
}
