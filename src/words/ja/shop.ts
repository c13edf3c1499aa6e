import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';
import { steps } from './connect.ts';

const f = formatsIn('ja-JP');

type Count = { count: number };

const pieces = ({ count }: Count): string => `${f.number(count)}点`;
const items = ({ count }: Count): string => `作品${f.number(count)}点`;
const files = ({ count }: Count): string => `${f.number(count)}ファイル`;
const chapters = ({ count }: Count): string => `全${f.number(count)}章`;

const home: Words['shop']['home'] = {
  description: ({ stall }) => `${stall}の本とスキル`,
  search: '検索',
  searchButton: '検索',
  placeholder: ({ count }) => `${f.number(count)}作品のタイトルと本文を検索`,
  filters: '絞り込み',
  kind: '種類',
  anyKind: '本とスキル',
  kinds: { book: '本', skill: 'スキル' },
  price: '価格',
  anyPrice: 'すべての価格',
  prices: { free: '無料', paid: '有料' },
  tag: 'タグ',
  anyTag: 'すべてのタグ',
  language: '言語',
  anyLanguage: 'すべての言語',
  order: '並び順',
  orders: { title: 'タイトル順', newest: '新着順' },
  items,
  found: ({ count }) => `${pieces({ count })}見つかりました`,
  showAll: 'すべて表示',
  bundles: ({ count }) => `セット${f.number(count)}点`,
  noMatch: '該当する作品はありません。言葉を減らすか、別の言葉でお試しください。',
  before: '前へ',
  after: '次へ',
  look: '詳しく見る',
  shelves: { featured: 'おすすめ', books: '本', bundles: 'セット', skills: 'スキル' },
  emptyForOwner: '棚はまだ空です。管理画面で本やスキルを追加してください。残りの作業もそこに表示されます。',
  openOffice: '管理画面を開く',
  empty: '本もスキルもまだありません。最初の作品はフィードでお知らせします。',
  followFeed: 'フィードを購読',
  termsAt: ({ address }) => ['利用規約はこちらです：', address],
  privacyAt: ({ address }) => ['プライバシーポリシーはこちらです：', address],
  imprintAt: ({ address }) => ['運営者情報はこちらです：', address],
  contact: ({ stall, contact }) => [`${stall}へのお問い合わせ：`, contact],
};

const search: Words['shop']['search'] = {
  title: '検索',
  titleFor: ({ words }) => `検索：${words}`,
  nothing: ({ words }) => `「${words}」は見つかりませんでした。本文に出てきそうな別の言葉でお試しください。`,
  titles: 'タイトル',
  all: ({ count }) => `全${pieces({ count })}を表示`,
  texts: '本文',
  samplesOnly: (signIn) => [
    '有料の本は、試し読みの範囲だけを検索しました。',
    signIn('ログイン'),
    'すると、お持ちの作品の全文を検索できます。',
  ],
};

const item: Words['shop']['item'] = {
  draft: 'これは下書きです。オーナーだけに表示されています。',
  private: '非公開：アクセス権のある人だけが見られます。',
  archived: 'この作品の販売は終了しました。お持ちの方は、引き続き入手できます。',
  praise: '推薦のことば',
  about: () => '著者について',
  moreBy: () => 'この著者のほかの作品',
  fromSkill: 'エージェントへの指示',
  fromBook: '本文から',
  readOn: '続きを読む',
  side: '入手方法',
  yoursSince: ({ when }) => [when, 'に入手済み'],
  inBrowser: 'ブラウザ対応',
  forAgent: 'エージェント対応',
  chapters,
  chaptersAndTime: ({ count, time }) => `${chapters({ count })}、読了まで約${time}`,
  files,
  edition: ({ version }) => `版：${version}`,
  editionOf: ({ when }) => [when, '版'],
  editionAndDay: ({ version, when }) => [`版：${version}（`, when, '）'],
  needs: ({ items }) => ['必要なもの：', items, '（「bookstall install」で一緒にインストールされます）'],
  signed: ({ signer, when }) => ['署名：', signer, '（', when, '以降のすべての版）'],
  signature: '署名',
  signedNow: ({ signer }) => ['署名：', signer, '（今日から）'],
  bought: ({ find, redeem }) => [
    '購入済みの方：',
    find('購入した作品を探す'),
    '、',
    redeem('コードを引き換える'),
  ],
  boughtUnproven: ({ email, account, redeem }) => [
    email,
    'で購入した方、贈られた方：',
    account('アカウントのページ'),
    'でこのアドレスを確認すると、ライブラリに入ります。',
    redeem('コードを引き換える'),
  ],
  boughtOrSignIn: ({ signIn, find, redeem }) => [
    '購入済みの方：',
    signIn('ログイン'),
    '、',
    find('購入した作品を探す'),
    '、',
    redeem('コードを引き換える'),
  ],
  getFree: '無料で入手',
  read: '読む',
  readSample: '試し読み',
  print: '印刷',
  ask: '質問する',
  facts: '作品情報',
  publisher: '発行元',
  version: 'バージョン',
  language: '言語',
  licence: 'ライセンス',
  formats: '形式',
  tags: 'タグ',
  contents: '目次',
  moreChapters: ({ count }) => `ほか${f.number(count)}章`,
  chaptersBefore: '前の章',
  chaptersAfter: ({ last, count }) => `続きの章（全${f.number(count)}章中${f.number(last)}章まで表示）`,
};

const kind =
  (name: string) =>
  ({ count }: Count): string =>
    `${name}${f.number(count)}件`;

const inside: Words['shop']['inside'] = {
  title: '内容',
  none: 'なし',
  files: 'ファイル',
  summary: ({ count, size, kinds }) => `${files({ count })}、${size}：${kinds}`,
  kinds: {
    markdown: kind('Markdown '),
    script: kind('スクリプト'),
    program: kind('プログラム'),
    image: kind('画像'),
    document: kind('文書'),
    archive: kind('アーカイブ'),
    text: kind('その他のテキスト'),
    other: kind('その他'),
  },
  scripts: 'スクリプト',
  facts: {
    executable: '実行可能なファイル',
    program: 'バイナリ形式のプログラム',
    host: 'URLに含まれるホスト',
    tool: '許可されたツール',
    hidden: '不可視文字',
  },
};

const agents: Words['shop']['agents'] = {
  summary: 'エージェントとコマンドラインで使う',
  bookId: ({ id }) => ['この本のID：', id],
  name: ({ name }) => ['このスキルの名前：', name],
  keyNeeded: ({ key, yours }) => [
    key,
    'を含む行には、この作品を利用できるアカウントのAPIキーが必要です。',
    yours('APIキー'),
    'をこの環境変数に設定してください。',
  ],
  noKey: 'APIキーは不要です。',
  archive: '全ファイルをtar.gzでダウンロード',
  worksWith: ({ clients }) => `対応：${clients}`,
  worksWithFindings: '対応：下の注意点をご覧ください',
  findingsOf: ({ client }) => `${client}：注意点`,
  clients: {
    'claude-code': 'Claude Code',
    'claude.ai': 'claude.ai',
    spec: 'Agent Skills',
    'well-known': 'skillsプログラム',
    mcp: 'MCP経由のスキル',
  },
  findings: {
    'front-matter-form': () => 'SKILL.mdの冒頭に、仕様と形式の異なる値があります。',
    'unknown-front-matter-key': () => 'SKILL.mdの冒頭に、仕様にない項目があります。',
    'claude-code-key': () => 'SKILL.mdの冒頭に、Claude Codeだけが解釈する項目があります。',
    'upload-key': () => 'SKILL.mdの冒頭に、claude.aiがアップロード時に拒否する項目があります。',
    'upload-name': () => 'スキルの名前が、claude.aiへのアップロード時に拒否されます。',
    'upload-tag': () => '名前または説明にXMLタグがあり、claude.aiへのアップロード時に拒否されます。',
    'listing-cut': () => 'Claude Codeでは、説明の先頭だけが表示されます。',
    'skill-name-form': () => '名前に、一部のエージェントが受け付けない文字があります。',
    'skill-too-long': () => 'SKILL.mdの行数が、仕様の推奨を超えています。',
    'skill-many-tokens': () => 'SKILL.mdの長さが、仕様の推奨を超えています。',
    'deep-reference': () => 'SKILL.mdに記載のないファイルが、ほかのファイルから参照されています。',
    'skill-many-files': () => 'ファイルの数が、受け付けられる上限を超えています。',
    'skill-many-bytes': () => 'サイズが、受け付けられる上限を超えています。',
    'skill-large-archive': () => 'アーカイブのサイズが、プログラムの受け付ける上限を超えています。',
    'skill-archive-name': () => 'アーカイブに、プログラムが読めないファイル名があります。',
  },
  fileTable: ({ count, size }) => `${files({ count })}、合計${size}`,
  path: 'パス',
  size: 'サイズ',
  bytesOf: ({ path, size }) => `${path}の内容、${size}`,
  noFiles: 'ファイルはまだありません。',
  filesBefore: '前のファイル',
  filesAfter: '次のファイル',
  digest: ({ digest }) => ['全ファイルのダイジェスト：', digest],
  installSkill:
    '各ファイルを検証し、Claude Codeが参照する場所にスキルをインストールします。別のエージェント名も指定できます。指定しなければ、現在のディレクトリに入ります。',
  installBook: '各ファイルを検証し、現在のディレクトリにフォルダごとインストールします。',
  unpack: ({ folder }) => `現在のディレクトリに、フォルダ${folder}を展開します。`,
  save: ({ file }) => `${file}を保存します。Web上のエージェントにアップロードできる形式です。`,
  signature: '署名',
  ask: '質問',
  askFor: 'この本は何についての本ですか？',
  askDoes: '本に基づく回答を、引用元とともに逐次出力します。',
};

const news: Words['shop']['news'] = {
  title: '更新内容',
  version: ({ version }) => `バージョン${version}`,
  first: '最初の版です。',
  all: ({ count }) => `すべての版（${f.number(count)}）`,
  table: '版の一覧（新しい順）',
  columns: { edition: '版', day: '日付', files: 'ファイル', state: '状態' },
  states: {
    served: '最新',
    kept: 'インストール可能',
    gone: '保存期間終了',
    withdrawn: '取り下げ',
  },
  added: '追加',
  changed: '変更',
  removed: '削除',
  more: ({ count }) => `ほか${f.number(count)}件`,
  changes: ({ added, changed, removed }) => {
    const all = [
      { count: added, verb: '追加' },
      { count: changed, verb: '変更' },
      { count: removed, verb: '削除' },
    ].filter(({ count }) => count > 0);
    return all.map(({ count, verb }) => `${files({ count })}${verb}`).join('、') || 'ファイルの変更なし';
  },
};

const bundle: Words['shop']['bundle'] = {
  parts: 'セットの内容',
  held: '入手済み',
  alone: ({ price }) => `単品${price}`,
  together: ({ count }) => `${pieces({ count })}セット`,
  alsoIn: ({ bundle, count, price, whole }) => [
    'ほか',
    `${pieces({ count })}とのセット「`,
    bundle,
    `」でも購入できます：${whole}のところ${price}`,
  ],
  saved: ({ price, saved }) => `単品合計${price}のところ、${saved}お得`,
  some: ({ count }) => `このうち${pieces({ count })}はすでにお持ちです。`,
  all: 'すべてすでにお持ちです。',
};

const buy: Words['shop']['buy'] = {
  button: ({ price }) => `${price}で購入`,
  buttonFrom: ({ price }) => `金額を決めて購入（${price}）`,
  noPrice: '価格はまだ決まっていません。',
  notYet: 'こちらではまだ販売されていません。',
  askPublisher: ({ publisher }) => `購入方法については、発行元（${publisher}）にお問い合わせください。`,
  write: ({ contact }) => ['購入をご希望の方は、', contact, 'にご連絡ください。'],
  demo: 'デモのため、支払いは模擬です。支払い後はここに戻り、すぐに読めます。',
  payAt: ({ provider }) => `お支払いは${provider}で行います。完了後はここに戻り、すぐに読めます。`,
  payAhead: ({ provider }) => `お支払いは${provider}で行います。公開後、ライブラリで読めます。`,
  payForKey: ({ provider }) =>
    `お支払いは${provider}で行います。届いたメールのライセンスキーをここで入力すると、すぐに読めます。`,
  payAheadForKey: ({ provider }) =>
    `お支払いは${provider}で行います。届いたメールのライセンスキーをここで入力すると、公開後に読めます。`,
  news: '新しい版のお知らせをメールでお送りすることがあります。メールからワンクリックで停止できます。',
};

const connect: Words['shop']['connect'] = {
  title: 'エージェントを接続',
  description: '貼り付けるだけで、エージェントがこのショップの本とスキルを見つけられます。',
  lead: '貼り付けて使えるコマンドと設定を、エージェント別にまとめました。無料の作品にAPIキーは不要です。必要なのは、質問するときだけです。',
  owned: 'お持ちの作品を接続',
  link: 'エージェント用のリンク',
  linkEmpty: '現在、このリンクで使えるものはありません。アカウントに、対象の作品がありません。',
  linkTakes: 'APIキーを送れないエージェントも、このリンクで次の作品を取得できます。',
  linkReads: 'APIキーを送れないエージェントも、このリンクで次の作品を取得し、読めます。',
  linkServer: 'claude.aiなど、リンクでMCPサーバーに接続するプログラム用のアドレス：',
  recommended: 'おすすめ',
  otherWays: 'ほかの方法',
  keyFrom: ({ keys }) => ['APIキーは', keys, 'で作成します。'],
  putInto: ({ does, file }) => `${does}次の内容を${file}に貼り付けてください：`,
  undo: ({ line }) => ['元に戻すには：', line],
};

const accessibility: Words['shop']['accessibility'] = {
  title: 'アクセシビリティ',
  ways: '読み方',
  adjustable: '表示を調整できます',
  readable: '読み上げや点字ディスプレイで読めます',
  notFullyReadable: '読み上げや点字ディスプレイでは一部を読めません',
  described: '代替テキストがあります',
  conformance: '適合性',
  noInformation: '情報はありません',
  conforms: 'この出版物は、一般に認められたアクセシビリティ基準を満たしています',
  certified: ({ name }) => `この出版物の認定者：${name}`,
  navigation: 'ナビゲーション',
  contents: '目次',
  headings: '見出し',
  rich: 'リッチコンテンツ',
  math: 'MathMLの数式',
  hazards: '危険性',
  noHazards: '危険性はありません',
  unknownHazards: '危険性があるかどうかは不明です',
};

export const shop: Words['shop'] = {
  free: '無料',
  private: '非公開',
  noPrice: '価格未定',
  from: ({ price }) => `${price}以上`,
  coming: ({ when }) => (when === null ? '近日公開' : `公開予定：${when}`),
  written: ({ percent }) => `${f.number(percent)}%執筆済み`,
  byline: ({ makers, publisher }) => [makers, '（発行：', publisher, '）'],
  home,
  search,
  item,
  accessibility,
  inside,
  agents,
  news,
  bundle,
  buy,
  connect,
  steps,
};
