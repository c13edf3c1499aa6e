import { CONNECT_AGENTS, CONNECT_NAMES } from '../../../item/connect.ts';
import type { ConnectPlace } from '../../../item/connect-step.ts';
import { isFree as isFreeItem } from '../../../item/item.ts';
import { plainTitle } from '../../../item/skill-title.ts';
import { describeFailure } from '../../failure.ts';
import { type Arguments, readNumber, readText, readWord, requireItem } from './arguments.ts';
import { askBook, type Call } from './ask-book.ts';
import { partOf, writePart } from './chapter-part.ts';
import type { Exchange } from './exchange.ts';
import { MOST_CHARACTERS, USUAL_CHARACTERS } from './tools.ts';
import { countFirstRead } from '../../../service/downloads.ts';
import { searchLibrary } from '../../../service/library-search.ts';
import { recheckAccess } from '../../../service/access.ts';
import { findSeen, readChapterText, readContents } from '../../../service/agent-texts.ts';

/** The result of a tool call. Some clients show their model `structuredContent` instead of the text. */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta?: Record<string, unknown>;
};

type Tool = (exchange: Exchange, given: Arguments, call: Call) => Promise<ToolResult>;

/** A Map, since a client may ask for the tool "constructor". */
const CALLS: ReadonlyMap<string, Tool> = new Map([
  ['search_library', searchItems],
  ['read_chapter', readChapter],
  ['ask_book', askBook],
  ['how_to_install', howToInstall],
]);

/** Calls a tool; null if no tool has this name. A refusal is a result for the model to read. */
export async function callTool(
  exchange: Exchange,
  name: string,
  given: Arguments,
  call: Call,
): Promise<ToolResult | null> {
  const tool = CALLS.get(name);
  if (tool === undefined) return null;
  try {
    return await tool(exchange, given, call);
  } catch (error) {
    const { error: text } = describeFailure(error, exchange.entry, exchange.log);
    return { content: [{ type: 'text', text }], isError: true };
  }
}

async function searchItems({ service, asker }: Exchange, given: Arguments): Promise<ToolResult> {
  const { items, next } = await searchLibrary(service.stall, asker, {
    words: readText(given, 'query') ?? '',
    kind: readWord(given, 'kind', ['book', 'skill'] as const),
    cursor: readText(given, 'cursor'),
  });
  const found = items.map(({ manifest: { slug, kind, title, description, version } }) => ({
    slug,
    kind,
    title: plainTitle(title) || slug,
    description: plainTitle(description),
    ...(version === null ? {} : { version }),
  }));
  const structuredContent = { items: found, ...(next === null ? {} : { nextCursor: next }) };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

async function readChapter({ service, asker }: Exchange, given: Arguments): Promise<ToolResult> {
  const slug = requireItem(given);
  const path = readText(given, 'path') ?? '';
  const offset = readNumber(given, 'offset', { least: 0, most: Number.MAX_SAFE_INTEGER, usual: 0 });
  const limit = readNumber(given, 'limit', { least: 1, most: MOST_CHARACTERS, usual: USUAL_CHARACTERS });
  const { edition, text, next } =
    path === ''
      ? await readContents(service.stall, asker, slug)
      : await readChapterText(service.stall, asker, slug, path);
  const part = partOf(text, offset, limit);
  const whole = writePart(part, text.length, next);
  if (path !== '') await countFirstRead(service.stall, asker, edition, Buffer.byteLength(part.text));
  return { content: [{ type: 'text', text: whole }] };
}

async function howToInstall(exchange: Exchange, given: Arguments): Promise<ToolResult> {
  const { service, asker, origin } = exchange;
  const edition = await findSeen(service.stall, asker, requireItem(given));
  const lack = await recheckAccess(service.stall, asker, edition, 'take').then(
    () => null,
    (error: unknown) => describeFailure(error, exchange.entry, exchange.log).error,
  );
  const agent = readWord(given, 'agent', CONNECT_NAMES);
  const { slug, title } = edition.manifest;
  const isFree = asker.kind === 'anonymous' && isFreeItem(edition.manifest);
  const place: ConnectPlace = { origin: origin(), link: null, isFree, slug };
  const agents = CONNECT_AGENTS.filter(({ name }) => agent === null || name === agent);
  const lines = agents.flatMap(({ title: name, steps }) => [
    `## ${name}`,
    ...steps(place)
      .filter(({ line }) => !line.includes(`${origin()}/mcp`))
      .map(({ does, line, file }) =>
        file === null ? `${does}\n\n    ${line}` : `${does} In ${file}:\n\n    ${line}`,
      ),
  ]);
  const missing = lack === null ? '' : `\n\nThese lines are refused now. ${lack}.`;
  const head = `# How to install “${plainTitle(title) || slug}”${missing}\n\nThe user runs these lines; they hold no key. The page ${origin()}/connect has them too.`;
  return { content: [{ type: 'text', text: [head, ...lines].join('\n\n') }] };
}
