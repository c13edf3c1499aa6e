import type { Offered } from './words.ts';

/** The sentences around quotes in one language; `quote` is the pair of quotation marks. */
export type AnswerSentences = {
  readonly quote: readonly [open: string, close: string];
  readonly from: (heading: string) => string;
  readonly weak: string;
  readonly notCovered: (title: string) => string;
  readonly nearest: (headings: string) => string;
  readonly askAgain: string;
  readonly comma: string;
};

const en: AnswerSentences = {
  quote: ['“', '”'],
  from: (heading) => `From “${heading}”:`,
  weak: 'The book may not answer this; this comes nearest.',
  notCovered: (title) => `“${title}” does not seem to cover this question.`,
  nearest: (headings) => ` The nearest parts: ${headings}.`,
  askAgain: ' Asking in other words may help.',
  comma: ', ',
};

/** A language without its script and region. */
type Base<Tag> = Tag extends `${infer Main}-${string}` ? Main : Tag;

/** The languages of books: those that pages ship in, and more. */
const SENTENCES: Readonly<Record<Base<Offered> | (string & {}), AnswerSentences>> = {
  en,
  de: {
    quote: ['„', '“'],
    from: (heading) => `Aus „${heading}“:`,
    weak: 'Vielleicht beantwortet das Buch diese Frage nicht; am nächsten kommt ihr das Folgende.',
    notCovered: (title) => `„${title}“ scheint diese Frage nicht zu behandeln.`,
    nearest: (headings) => ` Am nächsten kommen: ${headings}.`,
    askAgain: ' Versuchen Sie es mit anderen Wörtern.',
    comma: ', ',
  },
  fr: {
    quote: ['« ', ' »'],
    from: (heading) => `Extrait de « ${heading} » :`,
    weak: 'Le livre ne répond peut-être pas à cette question ; voici ce qui s’en approche le plus.',
    notCovered: (title) => `« ${title} » ne semble pas traiter cette question.`,
    nearest: (headings) => ` Les parties les plus proches : ${headings}.`,
    askAgain: ' Essayez avec d’autres mots.',
    comma: ', ',
  },
  es: {
    quote: ['«', '»'],
    from: (heading) => `De «${heading}»:`,
    weak: 'Puede que el libro no responda a esta pregunta; lo más cercano es esto.',
    notCovered: (title) => `«${title}» no parece tratar esta pregunta.`,
    nearest: (headings) => ` Las partes más cercanas: ${headings}.`,
    askAgain: ' Pruebe con otras palabras.',
    comma: ', ',
  },
  pt: {
    quote: ['“', '”'],
    from: (heading) => `De “${heading}”:`,
    weak: 'Talvez o livro não responda a esta pergunta; isto é o que mais se aproxima.',
    notCovered: (title) => `“${title}” não parece tratar desta pergunta.`,
    nearest: (headings) => ` As partes mais próximas: ${headings}.`,
    askAgain: ' Tente com outras palavras.',
    comma: ', ',
  },
  it: {
    quote: ['«', '»'],
    from: (heading) => `Da «${heading}»:`,
    weak: 'Forse il libro non risponde a questa domanda; ecco ciò che più vi si avvicina.',
    notCovered: (title) => `«${title}» non sembra trattare questa domanda.`,
    nearest: (headings) => ` Le parti più vicine: ${headings}.`,
    askAgain: ' Provi con altre parole.',
    comma: ', ',
  },
  ja: {
    quote: ['「', '」'],
    from: (heading) => `「${heading}」より：`,
    weak: 'この本には答えがないかもしれません。質問に最も近いのは次の内容です。',
    notCovered: (title) => `『${title}』はこの質問を扱っていないようです。`,
    nearest: (headings) => `近い箇所：${headings}。`,
    askAgain: '別の言葉で質問してみてください。',
    comma: '、',
  },
  zh: {
    quote: ['“', '”'],
    from: (heading) => `出自“${heading}”：`,
    weak: '本书可能没有回答这个问题；以下内容与它最接近。',
    notCovered: (title) => `《${title}》似乎没有涉及这个问题。`,
    nearest: (headings) => `最接近的部分：${headings}。`,
    askAgain: '请换一种说法再问。',
    comma: '、',
  },
  hi: {
    quote: ['“', '”'],
    from: (heading) => `“${heading}” से:`,
    weak: 'हो सकता है कि पुस्तक इस प्रश्न का उत्तर न देती हो; इसके सबसे निकट यह है।',
    notCovered: (title) => `लगता है कि “${title}” में इस प्रश्न का उत्तर नहीं है।`,
    nearest: (headings) => ` सबसे निकट के भाग: ${headings}।`,
    askAgain: ' दूसरे शब्दों में पूछकर देखें।',
    comma: ', ',
  },
  ru: {
    quote: ['«', '»'],
    from: (heading) => `Из раздела «${heading}»:`,
    weak: 'Возможно, книга не отвечает на этот вопрос; ближе всего к нему вот это.',
    notCovered: (title) => `Похоже, в книге «${title}» нет ответа на этот вопрос.`,
    nearest: (headings) => ` Ближайшие разделы: ${headings}.`,
    askAgain: ' Попробуйте спросить другими словами.',
    comma: ', ',
  },
  ar: {
    quote: ['«', '»'],
    from: (heading) => `من «${heading}»:`,
    weak: 'قد لا يجيب الكتاب عن هذا السؤال؛ وهذا أقرب ما فيه إليه.',
    notCovered: (title) => `يبدو أن «${title}» لا يتناول هذا السؤال.`,
    nearest: (headings) => ` أقرب الأجزاء: ${headings}.`,
    askAgain: ' جرّب السؤال بكلمات أخرى.',
    comma: '، ',
  },
  tr: {
    quote: ['“', '”'],
    from: (heading) => `“${heading}” bölümünden:`,
    weak: 'Kitap bu soruyu yanıtlamıyor olabilir; en yakını şu.',
    notCovered: (title) => `“${title}” bu soruyu ele almıyor gibi görünüyor.`,
    nearest: (headings) => ` En yakın bölümler: ${headings}.`,
    askAgain: ' Başka sözcüklerle sormayı deneyin.',
    comma: ', ',
  },
};

/** Returns the sentences around quotes in a language (BCP 47), by default in English. */
export const answerSentences = (language: string | null | undefined): AnswerSentences =>
  SENTENCES[language?.split('-')[0]?.toLowerCase() ?? ''] ?? en;
