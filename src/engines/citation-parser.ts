import { narrowQuote } from '../passages/quote/narrow-quote.ts';
import { citationOf, type OpenAnswerParser } from './answer-parser.ts';
import type { Location } from './stream-reader.ts';

/** Further locations of an answer are ignored. */
const MOST_LOCATIONS = 100;
/** The last characters of a block that are compared with the cited paragraph: about two sentences. */
const LONGEST_CLAIM = 4000;

/** Citations by index follow the text block they support. Each becomes the sentences of its paragraph closest to that text. */
export const citationParser: OpenAnswerParser = (sources, isWholeBook) => {
  let claim = '';
  let locations: Location[] = [];
  let left = MOST_LOCATIONS;

  const sourcesAt = ({ source, start, end }: Location) =>
    // A whole book is one document with a block for each paragraph; a search result is one passage in one block.
    isWholeBook
      ? source === 0
        ? sources.slice(start, Math.min(end, start + 3))
        : []
      : sources.slice(source, source + 1);

  const blockEnd = () => {
    const cited = [...new Set(locations.flatMap(sourcesAt))];
    const cites = cited.map((source) => {
      const { start, end } = narrowQuote(source.text, claim.slice(-LONGEST_CLAIM));
      return citationOf(source, start, end);
    });
    claim = '';
    locations = [];
    return cites;
  };

  return {
    text(text) {
      claim += text;
      return [{ type: 'text', text }];
    },
    location(location) {
      if (left-- > 0) locations.push(location);
    },
    blockEnd,
    end: blockEnd,
  };
};
