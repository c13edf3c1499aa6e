import type { Words } from '../words.ts';

export const assistants: Words['assistants'] = {
  title: 'アシスタントを接続',
  titleKey: 'コマンドラインでサインイン',
  asksKey: ({ machine }) => `「${machine}」のbookstallがAPIキーを求めています。`,
  mayKey:
    'このキーで、あなたがここで読めるものを90日間利用できます。キーはAPIキーの一覧に表示され、そこで無効にできます。',
  asks: ({ name }) => `${name}が、ここにあるあなたのライブラリを読む許可を求めています。`,
  described: ({ host }) => `提供元は${host}と示されています。`,
  leadsTo: ({ host }) => `このあと${host}に移動します。`,
  local: 'これはあなたのパソコン上のプログラムです。ご自分で今起動した場合にだけ進んでください。',
  as: ({ email }) => `${email}として動作します。`,
  may: 'あなたがここで読めるものを検索、閲覧、一覧できます。アカウントのほかの内容には触れません。',
  ask: '本に質問する（費用を運営者が負担することがあります）',
  notes: '自分のメモを読む',
  connect: '接続する',
  refuse: '接続しない',
  wrong: '接続できません',
  client: 'プログラムの名乗り方がここでは認識できません。プログラムの設定から接続し直してください。',
  document:
    'プログラムが示すアドレスから、その提供元の情報を読み取れませんでした。1分後にもう一度お試しください。',
  redirect:
    'プログラムが、事前に知らせていないアドレスへの移動を求めています。プログラムの設定から接続し直してください。',
  request: 'プログラムの要求の形式に、ここでは応じられません。',
  back: ({ name }) => `${name}に戻る`,
  once: 'このページはすでに使用されました。アシスタントの設定から接続し直してください。',
  list: 'アシスタント',
  lead: 'あなたに代わってここで読むアシスタントです。どれもあなたが読めるものを読めます。切断すると、次の要求から読めなくなります。',
  none: 'アシスタントはありません。ClaudeやChatGPTなどであなたの本を読めます。下のアドレスでコネクタを追加し、ログインしてください。',
  address: 'アシスタント用のアドレス',
  since: '接続日',
  lastUsed: '最終使用',
  disconnectToo: 'アシスタントも切断する',
  disconnect: '切断する',
  ended: '切断済み',
  endedReuse: 'トークンが二度使われたため切断しました。コピーされた可能性があります',
  save: '保存',
  way: 'ClaudeやChatGPTなど：このアドレスでコネクタを追加し、ログインしてください。',
  claude: 'Claude：設定 → コネクタ → 「Add custom connector」 → 「Connect」',
  chatgpt:
    'ChatGPT：設定 → 「Apps & Connectors」 → 「Advanced settings」で「Developer mode」をオン → 「Create」',
  all: 'アシスタント一覧',
};
