import { narrowQuote } from '../passages/quote/narrow-quote.ts';
import type { Location } from './message-stream.ts';
import { citationOf, type OpenAnswerParser } from './answer-parser.ts';

/** Pointers of one answer; a model that gives more than this is no longer looked after. */
const MOST_LOCATIONS = 100;
/** A sentence or two: more of a block tells no better which sentence it means. */
const LONGEST_CLAIM = 4000;

/** Citations by index come with the block of text they support: each becomes the sentences of its paragraph nearest to it. */
export const citationParser: OpenAnswerParser = (sources, isWholeBook) => {
  let claim = '';
  let locations: Location[] = [];
  let left = MOST_LOCATIONS;

  const sourcesAt = ({ source, start, end }: Location) =>
    // One document holds the whole book, a block a paragraph; a search result is one passage of one block.
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
