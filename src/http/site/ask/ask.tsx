import type { SessionPrincipal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/edition.ts';
import { isTooLong, LONGEST_QUESTION } from '../../../passages/question/question-words.ts';
import { type ContentsEntry, findHeadings } from '../../../service/contents.ts';
import type { AskEvent, NearPlace } from '../../../service/answer.ts';
import { IDLE } from '../../sender.ts';
import { createFrameStream, openEventStream } from '../../event-stream.ts';
import { describeFailure } from '../../failure.ts';
import { type Form as TypedForm, readForm } from '../../form.ts';
import { movedPage } from '../frame/moved-page.ts';
import { htmlHeaders, sendPage, splitPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import type { View } from '../frame/view.ts';
import { AnswerPage, answerPlace, type Asked, type Ended, endHtml, failureHtml } from './answer.tsx';
import { createAnswerText } from './answer-text.ts';
import { QuestionForm } from './question-form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { ItemTitle } from '../parts/item-title.tsx';
import { Notice } from '../parts/notice.tsx';
import { ask, findAskable } from '../../../service/ask.ts';

const encoder = new TextEncoder();
/** After this long without a word the page is shown, which says that the answer is being written, in milliseconds. */
const SILENCE = 1_000;
/** Keeps proxies and timers from cutting a silent answer. */
const COMMENT = encoder.encode('<!-- waiting -->');

/** The form of a question to a book. */
export async function showQuestionForm(
  { stall, tokens, viewOf }: RouteDeps,
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
    { title: `Ask ${edition.manifest.title}` },
    <>
      <PageHeading
        title={
          <>
            Ask <ItemTitle {...edition.manifest} />
          </>
        }
        lead={<a href={`/books/${slug}`}>Back to the book</a>}
      />
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
export async function showAnswer(
  deps: RouteDeps,
  request: Request,
  member: SessionPrincipal,
  slug: string,
): Promise<Response> {
  const { tokens } = deps;
  const form = await readForm(request);
  const { question, fault } = readQuestion(form);
  if (fault !== null) return showQuestionForm(deps, request, member, slug, { question, word: fault });
  if (!tokens.take(member.sessionId, form.text('token')))
    return showQuestionForm(deps, request, member, slug, {
      question,
      word: 'This question was sent before. Ask it again if you want another answer.',
    });
  const { edition } = await findAskable(deps.stall, member, slug);
  return stream(deps, request, member, { edition, question, token: tokens.issue(member.sessionId) });
}

async function stream(
  { stall, viewOf, budgets, connections, requestLog, log }: RouteDeps,
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
      const { error: sentence } = describeFailure(error, requestLog.of(request), log);
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
    { title: `Answer · ${title}` },
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
