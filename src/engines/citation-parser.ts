import { narrowQuote } from '../passages/quote/narrow-quote.ts';
import { createQuoteScanner, type AnswerSegment } from '../passages/quote/quote-scanner.ts';
import type { Source } from '../passages/prompt/source.ts';
import { type AnswerPiece, citationOf, type OpenAnswerParser } from './answer-parser.ts';
import { createPlainText } from './plain-text.ts';
import { createQuoteVerifier, MOST_QUOTES } from './quote-verifier.ts';
import type { Location } from './stream-reader.ts';

/** Further locations of an answer are ignored. */
const MOST_LOCATIONS = 100;
/** The last characters of a block that are compared with the cited paragraph: about two sentences. */
const LONGEST_CLAIM = 4000;

/**
 * Citations by index support the block of text they come with. Each becomes the sentences of its paragraph closest to that
 * text. A quotation waits for the end of its block, and is then the cited paragraph's own slice or loses its marks.
 */
export const citationParser: OpenAnswerParser = (sources, isWholeBook) => {
  const verify = createQuoteVerifier();
  const plain = createPlainText(Math.max(sources.length, MOST_QUOTES));
  let scanner = createQuoteScanner();
  let claim = '';
  let waiting: AnswerSegment[] = [];
  let locations: Location[] = [];
  let left = MOST_LOCATIONS;

  const sourcesAt = ({ source, start, end }: Location): readonly Source[] =>
    // A whole book is one document with a block for each paragraph; a search result is one passage in one block.
    isWholeBook
      ? source === 0
        ? sources.slice(start, Math.min(end, start + 3))
        : []
      : sources.slice(source, source + 1);

  const hear = (segments: readonly AnswerSegment[]): readonly AnswerPiece[] =>
    segments.flatMap((segment) => {
      if (waiting.length > 0 || segment.type === 'quote') waiting.push(segment);
      return waiting.length > 0 || segment.type === 'quote' ? [] : plain.push(segment.text);
    });

  const blockEnd = (): readonly AnswerPiece[] => {
    const begun = hear(scanner.end());
    const cited = [...new Set(locations.flatMap(sourcesAt))];
    const quoted = new Set<Source>();
    const shown = waiting.flatMap((segment): readonly AnswerPiece[] => {
      if (segment.type === 'text') return plain.push(segment.text);
      const found = verify(segment.quote, cited.length > 0 ? cited : sources);
      if (found === null) return plain.push(segment.quote + segment.after);
      if (found.cite !== null) quoted.add(found.source);
      const cites = found.cite === null ? [] : [found.cite];
      return [...plain.flush(), { type: 'text', text: found.shown + segment.after }, ...cites];
    });
    const cites = cited
      .filter((source) => !quoted.has(source))
      .map((source) => {
        const { start, end } = narrowQuote(source.text, claim.slice(-LONGEST_CLAIM));
        return citationOf(source, start, end);
      });
    const rest = cites.length > 0 ? plain.flush() : [];
    scanner = createQuoteScanner();
    [claim, waiting, locations] = ['', [], []];
    return [...begun, ...shown, ...rest, ...cites];
  };

  return {
    text(text) {
      claim += text;
      return hear(scanner.push(text));
    },
    location(location) {
      if (left-- > 0) locations.push(location);
    },
    blockEnd,
    end: () => [...blockEnd(), ...plain.flush()],
  };
};
