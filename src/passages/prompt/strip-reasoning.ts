// The tags that models and their chat templates put around reasoning: DeepSeek, Qwen, Magistral, Seed, Kimi, Command, and
// the channels of Harmony (https://cookbook.openai.com/articles/openai-harmony).
const NAME =
  '(?:[a-z]{1,20}[:_-])?(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad|monologue)';
const OPEN = '[<\\[◁]\\|?';
const CLOSE = '\\|?[>\\]▷]';
const TAG = new RegExp(
  [
    `(?<end>${OPEN}(?:/|end_(?:of_)?)${NAME}\\s*${CLOSE})`,
    `(?<begin>${OPEN}(?:(?:begin|start)_(?:of_)?)?${NAME}(?:\\s[^<>\\]]{0,60})?${CLOSE})`,
    '<\\|channel\\|>\\s*(?<channel>analysis|commentary|final)',
    '(?<control><\\|start\\|>assistant|<\\|(?!(?:start|channel)\\|)[a-z_]{1,30}\\|>)',
  ].join('|'),
  'iu',
);
// The end of a text that may be the beginning of a tag.
const PENDING =
  /(?:<\|(?:start|channel)\|>[^<]{0,80}(?:<\|?[a-z]{0,10}\|?)?|[<[◁][|/]{0,2}[a-z_:-]{0,40}(?:\s[^<>\]]{0,60})?\|?)$/iu;
const LONGEST_PENDING = 160;

/**
 * Drops a model's reasoning from streamed text. `isBare` reports a closing tag without an opening one: then all text of the
 * answer before it was reasoning, since the chat template had already opened it.
 */
export function createReasoningFilter() {
  let held = '';
  let isHidden = false;

  const read = (isEnd: boolean): { readonly text: string; readonly isBare: boolean } => {
    let text = '';
    let isBare = false;
    for (let tag = TAG.exec(held); tag !== null; tag = TAG.exec(held)) {
      const { end, begin, channel } = tag.groups!;
      if (!isHidden) text += held.slice(0, tag.index);
      held = held.slice(tag.index + tag[0].length);
      if (end !== undefined && !isHidden) [isBare, text] = [true, ''];
      if (end !== undefined) isHidden = false;
      if (begin !== undefined) isHidden = true;
      if (channel !== undefined) isHidden = channel.toLowerCase() !== 'final';
    }
    const pending = isEnd ? 0 : (PENDING.exec(held.slice(-LONGEST_PENDING))?.[0].length ?? 0);
    if (!isHidden) text += held.slice(0, held.length - pending);
    held = held.slice(held.length - pending);
    return { text, isBare };
  };

  return {
    push(text: string) {
      held += text;
      return read(false);
    },
    end: () => read(true),
  };
}
