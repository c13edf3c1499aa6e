import type { Language, Words } from './words.ts';

const ACCENTS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...'aâbƀcçdđeéfƒgğhĥiîjĵkķlļmɱnñoôpþqɋrŕsštťuûvṽwŵxẋyýzžAÂBƁCÇDĐEÉFƑGĞHĤIÎJĴKĶLĻMṀNÑOÔPÞQɊRŔSŠTŤUÛVṼWŴXẊYÝZŽ'.matchAll(
      /../gu,
    ),
  ].map(([pair]) => [pair.slice(0, 1), pair.slice(1)]),
);

/** Marks around a value that was given to a message. The value between them stays as it is. */
const [BEGIN, END] = ['\ue000', '\ue001'];

/**
 * Words made from English to test pages with: accented, 40 % longer, and each message between ⟦ and ⟧. What has no marks on a
 * page is not translated, and what is cut off has lost its last mark.
 */
export function pseudoWords(english: Words, language: Language): Words {
  const { locale, ...messages } = english;
  return { ...(convert(messages) as Omit<Words, 'locale'>), locale, language };
}

/** Makes other words from English as `pseudoWords` does. */
export const pseudoTexts = <Texts>(english: Texts): Texts => convert(english) as Texts;

function convert(value: unknown): unknown {
  if (typeof value === 'string') return marked(value);
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value === 'function')
    return (...given: readonly unknown[]) => convertResult(value(...given.map(shield)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, convert(one)]));
}

/** A sentence in parts is one message: only its ends are marked. */
function convertResult(result: unknown): unknown {
  if (!Array.isArray(result)) return convert(result);
  const isSentence = result.some((part) => typeof part !== 'string');
  if (!isSentence) return result.map(convert);
  return ['⟦', ...result.map((part) => (typeof part === 'string' ? accented(part) : part)), ' ~~⟧'];
}

/** Marks the texts among the values of a message, so that they are not changed. */
function shield(given: unknown): unknown {
  if (typeof given === 'string') return `${BEGIN}${given}${END}`;
  if (typeof given === 'function')
    return (...texts: readonly unknown[]) =>
      given(...texts.map((text) => (typeof text === 'string' ? marked(text) : text)));
  if (Array.isArray(given)) return given.map(shield);
  // An element of a page is an object too, with a constructor of its own.
  if (typeof given !== 'object' || given === null || given.constructor !== Object) return given;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, shield(one)]));
}

function marked(text: string): string {
  if (text === '') return text;
  const own = text.replaceAll(/\ue000[^\ue000\ue001]*\ue001/g, '');
  return `⟦${accented(text)}${'~'.repeat(Math.ceil(own.length * 0.4))}⟧`;
}

const accented = (text: string): string =>
  text
    .split(/(\ue000[^\ue000\ue001]*\ue001)/)
    .map((part) =>
      part.startsWith(BEGIN)
        ? part.slice(1, -1)
        : part.replaceAll(/[A-Za-z]/g, (letter) => ACCENTS[letter] ?? letter),
    )
    .join('');
