import { formatsIn } from '../formats.ts';
import { answerSentences } from '../answers.ts';
import type { Words } from '../words.ts';
import { browser } from './browser.ts';

const f = formatsIn('ja-JP');

export const reading: Words['reading'] = {
  search: '検索',
  ask: '質問する',
  contents: '目次',
  printHint: '本全体を1ページにまとめました。ブラウザで印刷するか、PDFとして保存できます。',
  lookThrough: '目次を見る',
  back: '本に戻る',
  allChapters: ({ count }) => `全${f.number(count)}章`,
  minutes: ({ hours, rest }) => {
    if (hours === 0) return `${rest}分`;
    return rest === 0 ? `${hours}時間` : `${hours}時間${rest}分`;
  },
  chapter: {
    bought: (link) => [
      'ライブラリに追加しました。',
      link('ダウンロード・贈り物・パスワードの設定'),
      'はこちらです。',
    ],
    wasAt: ({ place, isDevice }) => [
      isDevice ? 'KOReaderでは「' : 'ブラウザでは「',
      place,
      '」まで読んでいます。',
    ],
    changed: '引用された後に本文が変わったため、引用箇所に印はありません。',
    sampleEnds: '試し読みはここまでです',
    position: ({ isBook, at, count }) =>
      isBook ? `全${f.number(count)}章中${f.number(at)}章目` : `全${f.number(count)}件中${f.number(at)}件目`,
    through: ({ percent }) => `${percent}%読了`,
    left: ({ time }) => `残り${time}`,
    chapters: '章の移動',
    previous: '前へ',
    next: '次へ',
    part: ({ number, count }) => `${f.number(count)}ページ中${f.number(number)}ページ目`,
    refunded: 'ご注文は返金済みのため、ここから先は読めません',
    closed: ({ isBook }) => (isBook ? 'この章は試し読みの範囲外です' : 'このテキストは試し読みの範囲外です'),
    openToAll: 'どなたでも読める部分',
    tooLong: ({ size }) => `このテキストは${size}あり、1ページに表示できません。`,
    openFile: 'ファイルを開く',
    whole: ({ isBook, count, time, price, timed }) => {
      const facts = [
        ...(count > 1 ? [`全${f.number(count)}${isBook ? '章' : '件'}`] : []),
        ...(time === null ? [] : [timed(`読了まで約${time}`)]),
        ...(price === null ? [] : [price]),
      ];
      const [first, ...others] = facts;
      const name = isBook ? '本の全体' : 'スキルの全体';
      return first === undefined
        ? [name]
        : [`${name}：`, first, ...others.flatMap((fact) => ['、', fact] as const)];
    },
    signIn: 'お持ちの方はログイン',
  },
  offline: {
    title: 'オフライン用に保存した本',
    lead: '次の本は、この端末ではネットワークがなくても開けます。',
    keep: ({ size }: { size: string }) => `オフライン用に保存（約${size}）`,
    keeping: '本を保存しています…',
    kept: 'この端末に保存しました。',
    all: '保存した本の一覧',
    remove: 'この端末から削除',
    none: 'この端末に保存した本はありません。',
    full: 'この端末には、この本を保存する空きがありません。何も保存されていません。',
    failed: 'いまは本を保存できませんでした。何も保存されていません。もう一度お試しください。',
    ends: '保存した本は、ここでログアウトしたとき、ほかの人がログインしたとき、その本を読む権利がなくなったとき、またはこの端末が30日間このショップに接続しなかったときに削除されます。',
    safari: 'Safariでは、このショップを7日間開かないと、保存した本が消えることがあります。',
  },
  find: {
    inBook: 'この本の中を検索',
    everywhere: 'タイトルと本文を検索',
    title: ({ title }) => `『${title}』内を検索`,
    heading: ({ title }) => ['『', title, '』内を検索'],
    none: ({ words, isWhole }) =>
      `${isWhole ? 'この本' : '試し読みの範囲'}に「${words}」は見つかりませんでした。言葉を減らすか、別の言葉でお試しください。`,
    found: ({ count, isAll, isWhole }) => {
      const found = isAll
        ? `${f.number(count)}か所見つかりました。`
        : `一致度の高い${f.number(count)}か所を表示しています。`;
      return isWhole ? found : `${found}試し読みの範囲だけの結果です。お持ちの方は本全体を検索できます。`;
    },
  },
  answer: {
    answer: '回答',
    title: ({ title }) => `『${title}』に質問する`,
    heading: ({ title }) => ['『', title, '』に質問する'],
    form: '本に質問する',
    question: '質問',
    hint: '質問は保存されません。',
    hintLater: '質問は保存されません。これまでの回答を踏まえて質問できます。',
    somethingElse: '別のことを質問する',
    samples: 'または、次の質問から選ぶ：',
    about: ({ words }) => `「${words}」について、`,
    addQuestion: 'この箇所についての質問を書き加えてください。',
    typeFirst: '質問を入力してください。',
    tooLong: ({ most }) => `質問は${f.number(most)}文字以内にしてください。`,
    sentBefore: 'この質問はすでに送信されました。別の回答が必要な場合は、もう一度送信してください。',
    writing: '回答を作成しています…',
    weak: answerSentences('ja').weak,
    passage: ({ number }) => `引用${number}`,
    code: 'コード',
    notCovered: 'この本は、この質問を扱っていないようです。',
    untied: '灰色：この文には引用が添えられていません。正しいかもしれませんが、ここでは確かめられません。',
    unsupported: 'この回答を裏付ける記述は、本の中にありません。',
    declined: 'モデルが回答を控えました。',
    nearestPlace: '最も近い箇所は次のとおりです。',
    nearest: '本の中の近い箇所',
    inBook: '本の該当箇所',
    goOn: '続けて質問する',
    again: 'もう一度質問する',
    cutShort: '回答は途中で終わっています。',
    found: 'AIを使わず、本文から抜き出しました。',
    searched: 'AIを使わず、本文を検索しました。',
    written: ({ model }) => `${model}が本をもとに作成しました。引用はすべて照合済みです。`,
    asked: ({ model }) => `${model}に質問しました。`,
  },
  proof: {
    link: '証明',
    title: '引用の証明',
    lead: '本を持っていない人でも、この言葉が本の中にあることを確かめられる小さなファイルです。引用を疑う友人に送ったり、書評に添えたりできます。言葉が真実であることを示すものではありません。',
    discloses: 'ファイルは本文のひとまとまりをそのまま含むため、次の言葉がすべて示されます。太字が引用です。',
    take: '証明を保存',
    sendAlong: 'ファイルと一緒に、誰でも確認できるこのアドレスを送ってください',
  },
  checkQuote: {
    title: '引用を確認',
    lead: '本の引用を証明する.jsonファイルを受け取った方は、ここで選んでください。ファイルはお使いのブラウザの中で確認され、どこにも送信されません。',
    file: '証明',
    good: 'この言葉は、下の鍵で署名された本の中に、一字一句このとおりあります。',
    facts: { slug: '本', version: 'バージョン', path: 'ファイル', key: '鍵', signed: '署名者が記した日付' },
    bold: 'どの言葉を太字にするかは、送り主が選びました。',
    bad: 'この証明は成り立ちません。途中で壊れたか、変更されたか、偽造されたものです。もう一度送ってもらってください。このままでは何も証明できません。',
    other:
      'これは証明のファイルではないため、何も確認していません。証明は、引用の横の「証明」ボタンで得られる.jsonファイルです。',
    unknown:
      'このブラウザでは確認できません。この種類の鍵に対応していないか、ページがhttpsではありません。下のコマンドなら確認できます。',
    meaning: 'わからないこと',
    means: [
      '鍵が誰のものか。このショップか信頼できる別のショップの、その本のページの「署名」にある鍵、または発行元自身のページにある鍵と比べてください。',
      'いつ本が署名されたか。日付は署名者が記したものです。',
      '言葉が真実かどうか、また、その章の中での意味が、単独で読んだときの意味と同じかどうか。',
      'このページが信頼できるかどうか。このページはこのショップの一部です。下のコマンドとBookstallハンドブックのスクリプトなら、このページを使わずに確認できます。',
    ],
    byCommand: 'このショップを使わずにコマンドで確認',
  },
  notes: {
    title: 'メモ',
    all: 'すべてのメモ',
    selected: '選択した言葉',
    acts: { highlight: 'ハイライト', note: 'メモ', link: browser.copyLink },
    askAbout: '質問する',
    keep: 'メモに残す',
    below: ({ count, lost, most, link }) => [
      link(`この章のメモ：${f.number(count)}件`),
      lost > 0 ? `（うち${f.number(lost)}件は、該当する言葉が本文からなくなりました）` : '',
      most === null ? '' : `。最初の${f.number(most)}件を本文に表示しています`,
    ],
    search: 'メモを検索',
    noMatch: ({ words }) => `「${words}」を含むメモはありません。`,
    none: 'メモはまだありません。本を読みながら言葉を選択し、「ハイライト」か「メモ」を選んでください。',
    first: '最初へ',
    next: '次へ',
    closed: ({ count }) =>
      `現在開けない${f.number(count)}冊の本にもメモがあります。メモは保存されており、本が開けるようになると、また表示されます。`,
    saveAll: ({ markdown, csv }) => ['すべて保存：', markdown('Markdown'), '、', csv('CSV')],
    lost: 'この言葉は本からなくなりました',
    readThere: '本文で読む',
    edit: '編集・削除',
    note: 'メモ',
    yourNote: 'メモの内容',
    hint: ({ most }) => `${f.number(most)}文字まで。空欄にすると、ハイライトだけが残ります。`,
    save: '保存',
    delete: '削除',
    back: '本文の箇所に戻る',
  },
  reports: {
    title: '著者に送ったもの',
    send: '著者に送る',
    sendHint:
      '送信すると、本のこの箇所、送信時のメモの内容、お客様のメールアドレスを、ショップの運営者が読みます。メモを削除しても、送信したものは残ります。',
    tell: '著者に伝える',
    tellHint:
      '送信すると、この質問とお客様のメールアドレスを、ショップの運営者が読みます。このボタンを押さない限り、誰も読みません。',
    sent: ({ state }) => `著者に送信済み：${state}`,
    states: { open: '未対応', done: '対応済み', declined: '見送り' },
    answer: ({ answer }) => `著者からの返信：${answer}`,
  },
};
