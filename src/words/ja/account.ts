import type { Words } from '../words.ts';

export const yours: Words['account']['yours'] = {
  othersByMail: ({ left }) =>
    `残りの${left}部はほかの方の分です。メールにあるリンクを渡すか、ここで新しいリンクを作ってください。`,
  othersByLink: ({ left }) => `残りの${left}部はほかの方の分です。ここでリンクを作り、お渡しください。`,
  title: 'ライブラリに追加しました',
  read: '今すぐ読む',
  epub: 'EPUBをダウンロード',
  zip: 'ZIPをダウンロード',
  agent: 'エージェントで使う',
  agentNote:
    'お持ちの作品を、エージェントが読み、検索し、質問できます。APIキーが必要です。キーが表示されるのは一度だけです。',
  makeKey: 'APIキーを作成',
  keyName: 'マイエージェント',
  lines: 'エージェント別の手順',
  order: ({ order }) => `注文番号：${order}`,
  password: (link) => [
    'パスワードがなくても読めます。次回パスワードでログインするには、',
    link('ここで設定'),
    'してください。',
  ],
  stays: (library) => ['いつでも', library('ライブラリ'), 'から開けます。'],
  staysWithReceipt: ({ provider, library, receipt }) => [
    'いつでも',
    library('ライブラリ'),
    'から開けます。',
    receipt('領収書'),
    `は${provider}にあります。`,
  ],
};

const signIn: Words['account']['signIn'] = {
  title: 'ログイン',
  password: 'パスワード',
  notByProxy:
    'このショップには組織のアカウントでログインしますが、このページには利用者の情報が届きませんでした。最新のブラウザで、もう一度読み込んでください。それでも開けない場合は、運営者にお問い合わせください。',
  forgot: 'パスワードをお忘れですか？',
  mailLink: 'ログイン用のリンクをメールで受け取る',
  noAccount: (link) => ['アカウントをお持ちでない方は、', link('アカウントを作成'), 'してください。'],
  bought: ({ find, redeem: enter }) => [
    '購入済みの方：',
    find('購入した作品を探す'),
    '、',
    enter('コードを引き換える'),
  ],
  anythingElse: 'お困りですか？',
  noWayIn: 'アカウントをお持ちでない方、パスワードをお忘れの方：',
  ask: '運営者にお問い合わせください。',
  askAt: ({ contact }) => ['運営者（', contact, '）にお問い合わせください。'],
};

const secondStep: Words['account']['secondStep'] = {
  title: '確認コードの入力',
  code: '確認コード',
  hint: 'スマートフォンのアプリに表示される6桁の数字、またはリカバリーコード',
  cancel: 'キャンセル',
};

const links: Words['account']['links'] = {
  '/set-up': {
    title: 'ショップの初期設定',
    lead: 'このショップのオーナーになります。オーナーは、アカウントの追加、アクセス権の付与、ログの確認ができます。',
    button: 'オーナーになる',
  },
  '/invite': {
    title: 'ようこそ',
    lead: 'パスワードを設定して、ライブラリを開いてください。',
    button: '設定してログイン',
  },
  '/reset': {
    title: '新しいパスワードの設定',
    lead: 'ほかのブラウザはすべてログアウトされます。エージェントは引き続き読めますが、メールアドレスが未確認だった場合は読めなくなります。',
    button: '設定してログイン',
  },
  '/open': {
    title: 'アカウントの作成',
    lead: 'パスワードを設定すると、アカウントが作成されます。',
    button: '作成してログイン',
  },
  demo: {
    title: 'このデモの管理画面',
    lead: '注文、読者、売上など、発行元に見える画面をご覧いただけます。ショップが次に起動するとこのオーナーは無効になり、新しいリンクが作られます。',
    button: '管理画面を開く',
  },
  isFor: ({ email }) => ['アカウント：', email],
  goOn: '次へ',
  code: 'リンクのコード',
  codeHint: '受け取ったURLの「#」より後ろの部分',
};

const signInLink: Words['account']['signInLink'] = {
  title: 'リンクでログイン',
  lead: 'メールのリンクを、このブラウザで開いてください。別のブラウザで開くとコードが表示されます。そのコードをここに入力してください。',
  code: 'コード',
  hint: '英数字8文字',
  elsewhere: 'ログインを始めたブラウザにこのコードを入力',
  elsewhereLead:
    '別のブラウザからログインの申し込みがありました。コードはそちらに入力してください。心当たりがなければこのページを閉じ、コードを誰にも教えないでください。',
};

const newEmail: Words['account']['newEmail'] = {
  title: '新しいメールアドレスの確認',
  lead: '今後はこのメールアドレスでログインします。ほかのブラウザはログアウトされます。',
  password: '現在のパスワード',
  passwordHint: 'このメールアドレスへの変更手続きをしたアカウントのパスワード',
  button: 'このアドレスに変更',
  changed: 'メールアドレスを変更しました',
  changedLead: ({ email }) => `${email}と、これまでのパスワードでログインしてください。`,
};

const requests: Words['account']['requests'] = {
  '/forgot': {
    title: 'パスワードをお忘れの方',
    lead: 'アカウントのメールアドレスを入力してください。パスワードを再設定するためのリンクをお送りします。',
    sent: 'このメールアドレスのアカウントがあれば、リンクをお送りしました。送信できるのは1時間に3回までです。',
  },
  '/sign-up': {
    title: 'アカウントの作成',
    lead: 'メールアドレスを入力してください。届いたリンクを開いてパスワードを設定すると、アカウントが作成されます。',
    sent: 'このメールアドレスにリンクをお送りしました。送信できるのは1時間に3回までです。',
  },
  '/sign-in/mail': {
    title: 'メールでログイン',
    lead: 'アカウントのメールアドレスを入力してください。ログイン用のリンクをお送りします。有効期限は30分です。',
    sent: 'このメールアドレスのアカウントがあれば、リンクをお送りしました。1時間に3回まで申し込めます。',
  },
  button: 'リンクを送信',
};

const subscribe: Words['account']['subscribe'] = {
  news: {
    title: 'ショップからのお知らせ',
    hint: '新着情報をメールでお届けします。ワンクリックで停止できます。',
    button: 'お知らせを受け取る',
    confirmed: 'お知らせの配信を開始しました',
    confirmedLead: '停止するには、メールに記載のリンクを開いてください。',
  },
  told: {
    title: '公開されたら知らせる',
    hint: '公開時に一度だけメールをお送りし、その後メールアドレスを消去します。',
    button: '通知を受け取る',
    confirmed: '公開されたらお知らせします',
    confirmedLead: '公開時に一度だけメールをお送りし、その後メールアドレスを消去します。',
  },
  sent: {
    title: 'メールをご確認ください',
    lead: 'このメールアドレスに送信できる場合は、リンクをお送りしました。7日以内に開いてください。それまで、ほかのメールは届きません。',
  },
  confirm: {
    title: 'メールアドレスの確認',
    lead: '確認が済むと、お申し込みいただいたメールをお届けできるようになります。',
    button: '確認する',
  },
};

const news: Words['account']['news'] = {
  title: 'お知らせメールの配信停止',
  lead: '停止すると、お持ちの作品や購入した作品に関するものも含め、このメールアドレスにお知らせは届かなくなります。',
  button: '配信を停止する',
  ended: 'お知らせメールの配信を停止しました',
  endedLead:
    'このメールアドレスにお知らせは届きません。アカウントをお持ちの場合は、アカウントのページで再開できます。',
};

const redeem: Words['account']['redeem'] = {
  title: 'コードを引き換える',
  lead: 'コードを入力すると、本、スキル、またはセットを受け取れます。',
  opens: ({ items }) => ['このコードで', items, 'を受け取れます。'],
  makeAccount: (link) => [
    '受け取るには、アカウントを作成してください。すでにお持ちの方は',
    link('ログイン'),
    'してください。コードはそのまま保持されます。',
  ],
  account: 'アカウントの作成',
  code: 'コード',
  codeHint: '例：svg_ABCDE-FGHJK-…（大文字と小文字、ハイフンの有無は区別しません）',
  accountAndGet: 'アカウントを作成して受け取る',
  goOn: '次へ',
  addTo: ({ email }) => `${email}に追加`,
};

const claim: Words['account']['claim'] = {
  waitingFor: ({ provider }) => `${provider}からの通知を待っています`,
  yours: 'ご購入の作品',
  find: '購入した作品を探す',
  sentAgain: 'このメールアドレスでの購入があれば、メールをお送りしました。送信できるのは1時間に3回までです。',
  late: 'このページで購入した作品を受け取れるのは、24時間以内です。メールのリンクを開くか、下の欄からメールを再送してください。',
  refunded: 'このご購入は返金済みのため、ご利用いただけません。',
  given: 'このご購入はギフトになりました。コードをお持ちの方が「コードを引き換える」ページで受け取れます。',
  claimed: ({ holder }) =>
    holder === ''
      ? '別のアカウントのライブラリにあります。読むには、そのアカウントでログインしてください。'
      : `${holder}のライブラリにあります。読むには、そのアカウントでログインしてください。`,
  signIn: 'ログイン',
  notYours: 'ご自分のメールアドレスと違う場合',
  notYoursNote: ({ contact, order }) => [
    'お支払いの際に入力を間違えた場合は、ご自分のアカウントでログインするか、ご自分のメールアドレスから',
    contact ?? '運営者',
    `に、注文番号${order}を添えてご連絡ください。`,
  ],
  paidOrder: ({ ref }) => `お支払い済み・注文番号：${ref}`,
  refundedOrder: ({ ref }) => `返金済み・注文番号：${ref}`,
  add: '購入した作品の追加',
  addTo: ({ email }) => `${email}に追加`,
  known: ({ holder }) => `${holder}のアカウントがあります。ログインして追加してください。`,
  signInToAdd: 'アカウントに追加するには、ログインしてください。',
  others: ({ count }) =>
    `${count + 1}部お買い上げいただきました。1部はご自身のライブラリに入り、ほかの${count}部のリンクは次のページで作れます。`,
  waits: ({ provider }) =>
    `${provider}からお支払いの通知が届くのを待っています。通常は数秒で届きます。このページは自動で更新されます。`,
  waitsLong: ({ contact, end }) => [
    '通常より時間がかかっています。ご購入が失われることはありません。お支払いを確認できしだい、メールをお送りします。メールが届かない場合は、末尾が',
    end,
    'の参照番号を添えて、',
    contact ?? '運営者',
    'にご連絡ください。',
  ],
  forSomebody: 'どなたかへの贈り物ですか？',
  presentNote:
    'お渡し用のコードが発行されます。作品はコードを使った方のものになり、ご自分では利用できなくなります。',
  present: 'ギフトにする',
  presentTitle: 'ギフト',
  presentOpens: ({ items }) => ['このコードを最初に使った方が、', items, 'を受け取れます。'],
  enterAt: ({ url }) => `${url} で引き換えるコード（表示されるのは今回だけです）`,
  keepCode: ({ order }) =>
    `使われるまで、コードを保管してください。なくした場合は、注文番号${order}を添えて、運営者に再発行をご依頼ください。`,
  toMail: (link) => ['ショップからのメールをお持ちですか？', link('メールのリンクを使う、または再送する')],
  link: '受け取ったリンク',
  byLink: '受け取ったリンクを使う',
  boughtWith: ({ email }) => ['購入時のメールアドレス：', email],
  open: 'ライブラリに追加',
  hasAccount: ({ email }) => [
    email,
    'のアカウントがあります。ログインしてから、メールのリンクをもう一度開いてください。',
  ],
  gumroad: 'Gumroadで購入された方',
  byLicenseKey: 'ライセンスキーで受け取る',
  licenseKey: 'ライセンスキー',
  licenseKeyHint: 'Gumroadの領収書に記載されています',
  findMine: '購入した作品を探す',
  noMail:
    'リンクをお持ちでない方：このショップはメールを送信しません。注文番号を添えて、運営者にお問い合わせください。',
  noMailAsk: ({ contact }) => [
    'リンクをお持ちでない方：このショップはメールを送信しません。注文番号を添えて、運営者（',
    contact,
    '）にお問い合わせください。',
  ],
  address: 'メールアドレス',
  addressNote:
    'ご購入の作品は、購入時にお送りしたメールから受け取れます。再送するには、お支払いの際に入力したメールアドレスを入力してください。',
  sendAgain: 'メールを再送',
};

const demo: Words['account']['demo'] = {
  pretended: ({ provider }) => `${provider}は模擬の決済です。カードは不要で、お金は動きません。`,
  pay: 'お支払い',
  emailHint: '実際の決済では購入者が入力します。ここではどのアドレスでもかまいません',
  payPrice: ({ price }) => `${price}を支払う（模擬）`,
  receipt: '領収書',
  givenBack: '返金しました。購入者はもう読めません。',
  paid: ({ price, at }) => [`${price}（`, at, '）'],
  refund: '返金',
  refundNote: '実際の返金と同じように、購入者は読めなくなります。',
  giveBack: '返金する',
  back: 'ショップに戻る',
};

const said: Words['account']['said'] = {
  'note-sent': '著者に送りました。返事はここに表示されます。',
  'news-begun': 'お持ちの作品に関するお知らせを、今後1日1回までメールでお送りします。',
  'news-ended': 'お知らせを停止しました。今後メールで届くのは、発行元からの告知だけです。',
  'agent-link-revoked': 'リンクを無効にしました。エージェントがこのリンクを使っても、何も取得できません。',
  'key-revoked': 'キーを無効にしました。このキーを使うプログラムは、今後拒否されます。',
  'password-changed':
    'パスワードを変更しました。ほかのブラウザはすべてログアウトされました。APIキーは引き続き使えます。',
  'email-asked':
    '新しいメールアドレスが使える場合は、リンクをお送りしました。24時間以内に開くと、変更が完了します。',
  'email-changed':
    'メールアドレスを変更しました。ほかのブラウザはすべてログアウトされました。APIキーは引き続き使えます。',
  'places-kept': '今後、読んでいる位置を記録します。',
  'places-forgotten': '読んでいた位置を消去しました。今後は記録しません。',
  'assistant-ended': '接続を解除しました。アシスタントはもう一度ログインが必要です。',
  'assistant-saved': '保存しました。次の会話から有効です。',
  'session-ended': '選択したブラウザからログアウトしました。',
  'sessions-ended': 'ほかのすべてのブラウザからログアウトしました。',
};

export const account: Words['account'] = {
  yours,
  signIn,
  signInLink,
  secondStep,
  links,
  newEmail,
  requests,
  subscribe,
  news,
  redeem,
  claim,
  demo,
  said,
};
