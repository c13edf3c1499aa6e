// Words that make a Japanese or Chinese text a question and say nothing about its subject. Segmented, their parts would
// be searched for as words.
const JAPANESE =
  'とは(?:何|なん)(?:ですか|でしょうか|か)|って(?:何|なん)ですか|(?:について|を)?教えてください|' +
  'どう(?:すれば|したら)(?:(?:よい|良い|いい)(?:の|ん)?(?:です|でしょう)?か?)?|どうやって|どのように|どのような|どういう|どんな|' +
  'どうして|なぜ|何故|どれくらい|どのくらい|どこで|どこに|(?:こと[はが])?できますか|(?:よい|良い|いい)ですか|ありますか|' +
  '(?:の|ん)?(?:でしょうか|ですか)|でしたか|ましたか|ますか|ませんか|ください|(?:何|なん)ですか|について|に関して|とは';
const CHINESE =
  '请问|請問|为什么|為什麼|为何|為何|什么是|什麼是|是什么|是什麼|什么样的|什么样|什么时候|什麼時候|什么|什麼|怎么样|怎么办|' +
  '怎么|怎麼|怎样|怎樣|如何|是否|有没有|有沒有|能不能|可不可以|能否|是不是|哪些|哪个|哪個|哪里|哪裡|哪儿|多少|请解释|告诉我|' +
  '吗|嗎|呢';
const PHRASE = new RegExp(`${JAPANESE}|${CHINESE}`, 'gu');
const CJK = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;

/** A question without the phrases that only ask, in Japanese and Chinese; whole if nothing else is in it. */
export function withoutQuestionPhrases(question: string): string {
  if (!CJK.test(question)) return question;
  const left = question.replace(PHRASE, ' ');
  return CJK.test(left) ? left : question;
}

/** Particles and auxiliaries of Japanese and Chinese, as the segmenter cuts them. */
export const CJK_STOP =
  'の に は を が で と も から まで より へ や か ね よ な だ です ます でし まし た て する し さ れ られ せ い いる ある ' +
  'こと もの とき ため よう これ それ あれ この その 何 なに なん 誰 だれ いつ どこ どれ どの ' +
  '的 了 是 在 和 与 與 把 被 吧 啊 地 得 着 之 也 就 都 而 及 或 一个 一個 这 這 那 谁 誰 我 你 他 她 它 我们 我們';
