import type { VNode } from 'preact';
import type { Edition } from '../catalog/catalog.ts';
import { isTooLong, LONGEST_QUESTION } from './question-words.rule.ts';
import { LONGEST_ABOUT } from '../reading/anchor.rule.ts';
import { type ContentsEntry, findHeadings, type FoundHeading, headingPath } from '../reading/contents.ts';
import type { AskEvent, Citation } from './answer.ts';
import { openEventStream, sendStream } from './event-stream.ts';
import { answerFailure } from '../platform/http/failure.ts';
import type { Words } from '../words/words.ts';
import { redirect } from '../platform/http/answer.ts';
import { parseJson, readForm, readLongForm } from '../platform/http/body.ts';
import { readFields } from '../platform/http/shape.ts';
import { htmlHeaders, Notice, sendPage, splitPage, type View } from '../platform/site/page.tsx';
import type { Http, Stall } from './stall.ts';
import { createAnswerText, ownLine } from './answer-text.ts';
import { InWords, useWords } from '../platform/site/words.tsx';
import { headInBook } from './search.page.tsx';
import { placeOf } from '../reading/reading-pages.ts';
import { ask, findAskable, isUntiedTold, LONGEST_HISTORY, MOST_EARLIER, TALK } from './ask.ts';
import { renderToString } from 'preact-render-to-string';
import { markAddress, readingAddress } from '../reading/item-links.ts';
import { Button, Form, TextArea } from '../platform/site/form.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { hideAttributes } from '../reading/block.rule.ts';
import type { EarlierQuestion } from './prompt.rule.ts';
import { headOfTable, shownQuote } from '../reading/shown-text.rule.ts';
import { countWords } from '../reading/sentence.rule.ts';
import { type PageLook, readLook } from '../platform/site/look.tsx';
import { KeepCitation } from '../reading/keep-citation.part.tsx';
import { ProofLinks } from './proof.part.tsx';
import { reportQuestion } from './reported-question.ts';
import { ALL_NOTES } from '../platform/site/linked-pages.ts';
import { inItsLanguage, inLanguage } from '../platform/base/direction.ts';
import { movedPage } from '../reading/moved-page.ts';
import type { Outcome } from '../words/outcome.ts';

const encoder = new TextEncoder();
/** The minimum number of words in a heading that is offered as a question: "What next?" is too vague. */
const FEWEST_WORDS = 3;
/**
 * How long to wait for an answer's first event before the page begins, so that an early refusal gets an error page, and in a
 * later pause before COMMENT is sent, in milliseconds.
 */
const SILENCE = 1_000;
/** An HTML comment, sent whenever an answer pauses, so that no proxy closes the idle connection. */
const COMMENT = encoder.encode('<!-- waiting -->');

export async function showQuestionForm(
  { stall, tokens, viewOf }: Http,
  request: Request,
  {
    member,
    slug,
    typed = null,
  }: {
    readonly member: SessionPrincipal;
    readonly slug: string;
    readonly typed?: (Typed & { readonly say: (answer: AnswerWords) => string }) | null;
  },
): Promise<Response> {
  const { edition, contents } = await findAskable(stall, member, slug);
  const away = request.method === 'POST' ? null : movedPage(request, edition, slug);
  if (away !== null) return away;
  const view = viewOf(member);
  const { reading } = view.words;
  return sendPage(
    view,
    headInBook(reading, 'answer', edition, readLook(request)),
    <>
      {typed !== null && <Notice kind="plain">{typed.say(reading.answer)}</Notice>}
      <QuestionForm
        edition={edition}
        token={tokens.issue(member.sessionId)}
        question={typed?.question ?? ''}
        history={typed?.history ?? []}
        samples={typed === null ? (edition.questions?.suggested ?? sampleQuestions(contents)) : []}
      />
    </>,
  );
}

type AnswerWords = Words['reading']['answer'];

type Typed = { readonly question: string; readonly history: readonly EarlierQuestion[] };

function sampleQuestions(contents: readonly ContentsEntry[]): readonly string[] {
  const titles = contents.map(({ title }) => title.replace(/^[\p{L}\d]{0,8} ?\d[\d.]*[.):：]?\s+/u, ''));
  return [...new Set(titles)]
    .filter((title) => /[?？؟]$/.test(title) && countWords(title) >= FEWEST_WORDS)
    .slice(0, 3);
}

export async function showAnswer(http: Http, request: Request, member: SessionPrincipal, slug: string) {
  const { tokens, readLarge } = http;
  const form = await readLongForm(readLarge, request, LONGEST_QUESTION + LONGEST_HISTORY);
  const question = (form.text('sample') || form.text('question')).trim();
  const talk = parseJson(Buffer.from(form.text('history') || '[]'), 'the history');
  const { history } = readFields(TALK, { history: talk }, 'Cannot ask');
  const refuse = (say: (answer: AnswerWords) => string) =>
    showQuestionForm(http, request, { member, slug, typed: { question, history, say } });
  const about = form.text('about').trim().slice(0, LONGEST_ABOUT);
  if (about !== '')
    return showQuestionForm(http, request, {
      member,
      slug,
      typed: {
        question: http.viewOf(member).words.reading.answer.about({ words: about }),
        history,
        say: ({ addQuestion }) => addQuestion,
      },
    });
  if (question === '') return refuse(({ typeFirst }) => typeFirst);
  if (isTooLong(question)) return refuse(({ tooLong }) => tooLong({ most: LONGEST_QUESTION }));
  if (!tokens.take(member.sessionId, form.text('token'))) return refuse(({ sentBefore }) => sentBefore);
  const { edition } = await findAskable(http.stall, member, slug);
  const token = tokens.issue(member.sessionId);
  return stream(http, request, member, { edition, question, history, token, look: readLook(request) });
}

/** The maximum lengths of an earlier question and of its answer in the form: all of them together fit into LONGEST_HISTORY. */
const [MOST_ASKED, MOST_ANSWERED] = [300, LONGEST_HISTORY / MOST_EARLIER - 300];

function stream(http: Http, request: Request, member: SessionPrincipal, asked: Asked): Promise<Response> {
  const { stall, viewOf, connections, requestLog } = http;
  const view = viewOf(member);
  const head = { route: '/books/:slug/ask', headers: htmlHeaders(view) };
  return sendStream(http, request, { account: member, ...head }, async () => {
    connections.allowSilence(request, 0);
    const bookId = asked.edition.manifest.id ?? '';
    const { question: query, history } = asked;
    const question = { bookId, query, history, door: 'page' } as const;
    const events = toPage(
      stall,
      view.words,
      asked.edition,
      await ask(stall, member, question, request.signal),
    );
    const text = createAnswerText(
      view.words,
      (citation) => markAddress(asked.edition.manifest, citation),
      stall.engine.model !== null && isUntiedTold(stall) ? query : null,
    );
    const encode = (event: PageEvent) => {
      if (event.type === 'chunk') return encoder.encode(text.push(event));
      const html =
        event.type === 'done'
          ? endHtml(view.words, nextOf(stall, asked, event), <End ending={event} {...asked} />)
          : event.html;
      return encoder.encode(text.end() + html);
    };
    const onError = (error: unknown) => {
      const { say } = answerFailure(error, requestLog.of(request), stall.log);
      const end = <Notice kind="bad">{say(view.words)}</Notice>;
      return encoder.encode(text.end() + endHtml(view.words, asked, end));
    };
    return around(
      view,
      asked,
      await openEventStream(events, { encode, onError, silence: SILENCE, comment: COMMENT }),
    );
  });
}

type Chunk = Extract<AskEvent, { type: 'chunk' }>;
type PageEvent = Chunk | { readonly type: 'excerpt'; readonly html: string } | Ended;

/**
 * Turns the events of an answer into those of the page. Shows an excerpt in place of a citation and the text that says the same
 * (`isRepeated`), and adds the headings closest to the question to the last event.
 */
async function* toPage(
  stall: Stall,
  words: Words,
  edition: Edition,
  events: AsyncGenerator<AskEvent>,
): AsyncGenerator<PageEvent> {
  const excerpts = new Set<number>();
  let answer = '';
  let isExcerpt = false;
  for await (const event of events) {
    if (event.type === 'chunk') answer += event.text;
    if (event.type === 'done')
      yield {
        ...event,
        answer,
        citations: event.citations.filter(({ n }) => !excerpts.has(n)),
        headings: await findHeadings(stall, edition, event.near ?? []),
        excerpt:
          event.nearest && (await excerptOf(stall, edition, event.nearest, event.isNearestCode === true)),
      };
    else if (event.citation === undefined) {
      isExcerpt = event.isRepeated === true;
      if (!isExcerpt) yield event;
    } else if (isExcerpt) {
      excerpts.add(event.citation.n);
      yield {
        type: 'excerpt',
        html: render(words, await excerptOf(stall, edition, event.citation, event.isCode === true)),
      };
    } else yield event;
  }
}

async function excerptOf(stall: Stall, edition: Edition, citation: Citation, isCode: boolean) {
  const place = placeOf(edition, citation.path, true);
  const { language, math } = edition.manifest;
  const { quote, start, marked = [] } = citation;
  // A fence that is longer than the code itself cannot be closed by a line of that code.
  const fence = `\n${'~'.repeat(quote.length + 3)}\n`;
  // Gives a table that was cut its head back; without it, the rows would be shown as raw Markdown.
  const head = isCode ? '' : headOfTable(await stall.artefacts.read(edition, citation.path), start);
  const markdown = isCode ? fence + quote + fence : head + hideLooseMarks(quote);
  const shift = head.length - start;
  const slices = marked.map(([from, to]) => ({ start: from + shift, end: to + shift }));
  const rendered = await stall.pages.renderText({
    markdown,
    language,
    math,
    level: 3,
    marked: slices,
    place,
  });
  const html = rendered.replaceAll(HIDDEN, '');
  return (
    <figure class="excerpt" id={`note-${citation.n}`}>
      <blockquote dangerouslySetInnerHTML={{ __html: html }} />
      <figcaption>
        <PassageLink edition={edition} citation={citation} />
        <KeepCitation edition={edition} citation={citation} />
        <ProofLinks edition={edition} citation={citation} />
      </figcaption>
    </figure>
  );
}

const HIDDEN = '\u00ad';
const LOOSE =
  /(`{1,3})(?!`)[^`]{1,20000}\1|\[\^[^[\]\s]{1,50}\]|(?<!!)\[(?<text>[^[\]]{1,300})\](?<to>\[[^[\]]{0,200}\])|(?<!!)\[(?=[^[\]()\n]{1,300}$)/g;
// Matches a fenced block with backticks in its title, as this program allows. CommonMark would take its first line for text,
// and its last line for the beginning of code.
const TITLED = /^( {0,3}(`{3,})\w+[ \t]+\w+="[^\n]*`[^\n]*)$(?:([^]*?)^( {0,3}\2`*[ \t]*)$)?/gm;

/**
 * Replaces marks that mean nothing in an excerpt by as many soft hyphens, so that offsets hold: `[^1]`, the brackets of
 * `[text][1]`, the `[` of a link that is cut, attributes, and fences with backticks in their title.
 */
function hideLooseMarks(quote: string): string {
  const hide = (text: string): string => HIDDEN.repeat(text.length);
  const untitled = quote.replace(
    TITLED,
    (_, open: string, _ticks, prose = '', close = '') => hide(open) + prose + hide(close),
  );
  return hideAttributes(untitled, hide).replace(LOOSE, (found, code?: string, text?: string, to = '') =>
    code !== undefined ? found : text === undefined ? hide(found) : HIDDEN + text + HIDDEN + hide(to),
  );
}

const PassageLink = ({ edition, citation }: { readonly edition: Edition; readonly citation: Citation }) => (
  <a href={markAddress(edition.manifest, citation)} target="_blank">
    {headingPath(edition, citation)}
  </a>
);

async function* around(view: View, asked: Asked, pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>) {
  const { edition, question, look } = asked;
  const { reading } = view.words;
  const { answer, writing } = reading.answer;
  const { before, after } = splitPage(
    view,
    { ...headInBook(reading, 'answer', edition, look), title: `${answer} · ${edition.manifest.title}` },
    <>
      <blockquote class="question">{question}</blockquote>
      <div
        class="answer-page"
        {...inItsLanguage(edition.manifest)}
        dangerouslySetInnerHTML={{
          __html: `<div class="answer reading" aria-live="polite">${ownLine(view.words, writing, 'writing')}${answerPlace}`,
        }}
      />
    </>,
    answerPlace,
  );
  try {
    yield encoder.encode(before);
    yield* pieces;
    yield encoder.encode(after);
  } finally {
    await pieces.return(undefined);
  }
}

/** A question that is being answered, and its book. `token` is the single-use token of the form below the answer. */
type Asked = Typed & {
  readonly edition: Edition;
  readonly token: string;
  readonly look: PageLook;
};

const answerPlace = `<i>${crypto.randomUUID()}</i>`;

const VERDICTS: Readonly<Record<Outcome, 'notCovered' | 'unsupported' | 'declined' | null>> = {
  answered: null,
  quoted: null,
  not_covered: 'notCovered',
  unsupported: 'unsupported',
  declined: 'declined',
};

type Ended = Extract<AskEvent, { type: 'done' }> & {
  readonly answer: string;
  readonly headings: readonly FoundHeading[];
  readonly excerpt: VNode | undefined;
};

/**
 * Returns the content of the form below an answer: the same question; or, if the model knows earlier questions and this answer
 * comes from the book, no question and the conversation so far.
 */
function nextOf({ config }: Stall, asked: Asked, { outcome, answer }: Ended): Asked {
  if (config.model?.lookUp !== true || VERDICTS[outcome] !== null) return asked;
  const last = { question: asked.question.slice(0, MOST_ASKED), answer: answer.slice(0, MOST_ANSWERED) };
  return { ...asked, question: '', history: [...asked.history, last].slice(-MOST_EARLIER) };
}

const endHtml = (words: Words, { edition, question, history, token }: Asked, end: VNode): string =>
  `</div>${render(
    words,
    <div {...inLanguage(words.language)}>
      {end}
      <section>
        <h2>{question === '' ? words.reading.answer.goOn : words.reading.answer.again}</h2>
        <QuestionForm {...{ edition, token, question, history }} samples={[]} />
      </section>
    </div>,
  )}`;

const render = (words: Words, part: VNode): string => renderToString(<InWords words={words}>{part}</InWords>);

function End({
  ending,
  edition,
  question,
}: { readonly ending: Ended } & Pick<Asked, 'edition' | 'question'>) {
  const { answer } = useWords().reading;
  const { outcome, truncated, citations, headings, excerpt, untied = [] } = ending;
  const verdict = VERDICTS[outcome];
  return (
    <>
      {verdict !== null && <p class="verdict">{answer[verdict]}</p>}
      {excerpt !== undefined && (
        <section>
          <p>{answer.nearestPlace}</p>
          <div class="answer reading" {...inItsLanguage(edition.manifest)}>
            {excerpt}
          </div>
        </section>
      )}
      {untied.length > 0 && <p class="quiet">{answer.untied}</p>}
      {outcome === 'not_covered' && <Nearest {...{ headings, edition, question }} />}
      {citations.length > 0 && <Notes citations={citations} edition={edition} />}
      <p class="place">
        {truncated ? `${answer.cutShort} ` : ''}
        {origin(answer, ending)}
      </p>
    </>
  );
}

function origin(answer: AnswerWords, { outcome, model, citations }: Ended): string {
  if (model === null) return outcome === 'quoted' ? answer.found : answer.searched;
  return citations.length > 0 ? answer.written({ model }) : answer.asked({ model });
}

type NearestProps = Pick<Ended, 'headings'> & Pick<Asked, 'edition' | 'question'>;

function Nearest({ headings, edition: { manifest }, question }: NearestProps) {
  const { reading } = useWords();
  return (
    <section>
      {headings.length > 0 && (
        <>
          <h2>{reading.answer.nearest}</h2>
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
        <a href={`/books/${manifest.slug}#contents`}>{reading.lookThrough}</a>
      </p>
      <Form action={`/books/${manifest.slug}/reports`} label={reading.reports.tell}>
        <input type="hidden" name="question" value={question} />
        <Button kind="quiet">{reading.reports.tell}</Button>
        <p class="quiet">{reading.reports.tellHint}</p>
      </Form>
    </section>
  );
}

const Notes = ({ citations, edition }: { citations: readonly Citation[]; edition: Edition }) => (
  <section>
    <h2>{useWords().reading.answer.inBook}</h2>
    <ol class="passages">
      {citations.map((citation) => (
        <li id={`note-${citation.n}`} value={citation.n} {...inItsLanguage(edition.manifest)}>
          <blockquote>{shownQuote(citation.quote)}</blockquote>
          <PassageLink edition={edition} citation={citation} />
          <KeepCitation edition={edition} citation={citation} />
          <ProofLinks edition={edition} citation={citation} />
        </li>
      ))}
    </ol>
  </section>
);

type QuestionFormProps = Omit<Asked, 'look'> & { readonly samples: readonly string[] };

/** The form that asks a book. Its token is valid once, so that a reload does not ask again. */
function QuestionForm({ edition: { manifest }, token, question, history, samples }: QuestionFormProps) {
  const { ask: act, answer } = useWords().reading;
  return (
    <Form action={`/books/${manifest.slug}/ask`} label={answer.form}>
      <input type="hidden" name="token" value={token} />
      {history.length > 0 && <input type="hidden" name="history" value={JSON.stringify(history)} />}
      <TextArea
        label={answer.question}
        name="question"
        value={question}
        rows={3}
        hint={history.length > 0 ? answer.hintLater : answer.hint}
      />
      <Button>{act}</Button>
      {history.length > 0 && <a href={`/books/${manifest.slug}/ask`}>{answer.somethingElse}</a>}
      {samples.length > 0 && (
        <div class="samples">
          <p>{answer.samples}</p>
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

export async function tellQuestion(
  { stall }: Http,
  request: Request,
  member: SessionPrincipal,
  slug: string,
) {
  await reportQuestion(stall, member, slug, (await readForm(request)).text('question'));
  return redirect(`${ALL_NOTES}#sent`);
}
