import type { Words } from '../words.ts';
import type { MailFacts } from '../en/mail.ts';
import { yours } from './account.ts';

const MISTAKE = 'お心当たりのない場合は、お手数ですが、このメールを破棄してください。何も変更されません。';

const UNWANTED =
  'お心当たりのない場合は、お手数ですが、このメールを破棄してください。今後、メールをお送りすることはありません。';

const ONCE = 'このリンクは一度だけ使えます。有効期限は72時間です。';

const mayWrite = (stall: string): string =>
  `ご購入いただいた作品の新しい版について、${stall}からメールでお知らせすることがあります。お知らせは、メールのリンクからいつでもワンクリックで停止できます。`;

const forOthers = ({ copies, count }: Pick<MailFacts, 'copies' | 'count'>): readonly string[] =>
  copies === ''
    ? []
    : [
        count === '1'
          ? '2人分をご購入いただきました。次のリンクをお渡しいただくと、もう1名の方がご自分のライブラリに追加できます：'
          : `複数人分をご購入いただきました。次のリンクをお渡しいただくと、あと${count}名の方が、それぞれご自分のライブラリに追加できます：`,
        copies,
      ];

const comingSoon = (titles: string): string =>
  `${titles}はまだ公開されていません。公開されたら、メールでお知らせします。`;

/** The mails in Japanese. */
export const mail: Words['mail'] = {
  hello: 'こんにちは。',
  yourPurchase: 'ご注文の作品',
  reasons: {
    refunded: 'の代金を返金いたしました',
    lost: 'は、お支払いへの異議申し立てにより返金されました',
    disputed: 'は、お支払いへの異議申し立てが審査中のため、一時停止しております',
    revoked: 'は、ショップにより取り消されました',
    ended: 'は、利用期間が終了しました',
  },
  sold: { live: '売れました', test: 'テスト販売' },
  paid: {
    live: '実際の販売です。',
    test: 'テスト販売です。代金は支払われていません。',
  },
  claim: ({ stall, titles, ref, link, origin, read, epub, coming, ...others }) => [
    `ご購入ありがとうございます（${stall}）`,
    `${titles}をご購入いただき、ありがとうございます。`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    read === '' ? '次のリンクを開くと、ライブラリに追加できます：' : '次のリンクを開くと、すぐに読めます：',
    link,
    ...(epub === '' ? [] : [`次のページから「${yours.epub}」と「${yours.agent}」も選べます。`]),
    `このリンクは一度だけ使えます。有効期限は7日間です。期限が切れた場合は、こちらから再送できます：\n${origin}/claim`,
    ...forOthers(others),
    mayWrite(stall),
    `注文番号：${ref}\nお心当たりのない場合は、どなたかがメールアドレスを誤って入力された可能性があります。お手数ですが、このメールを破棄してください。`,
  ],
  claimed: ({ stall, titles, ref, holder }) => [
    `ご購入ありがとうございます（${stall}）`,
    `${titles}をご購入いただき、ありがとうございます。`,
    `ご購入の作品は、受け取りの際にログインしていたアカウント（${holder}）のライブラリに追加済みです。`,
    `お心当たりのないアカウントの場合は、お手数ですが、このメールにご返信ください（注文番号：${ref}）。`,
  ],
  library: ({ stall, titles, ref, read, epub, origin, coming, ...others }) => [
    `ライブラリに追加しました（${stall}）`,
    `${titles}をご購入いただき、ありがとうございます。${yours.title}。`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    ...(read === '' ? [] : [`${yours.read}：\n${read}`]),
    ...(epub === '' ? [] : [`${yours.epub}：\n${epub}`]),
    `${yours.agent}：\n${origin}/dashboard/connect`,
    ...forOthers(others),
    mayWrite(stall),
    `注文番号：${ref}`,
  ],
  ended: ({ stall, titles, ref, reason, origin }) => [
    `ご注文に関するお知らせ（${stall}）`,
    `${stall}をご利用いただき、ありがとうございます。`,
    `ご注文（注文番号：${ref}）${reason}。これに伴い、現在、${titles}はご利用いただけません。`,
    'ご不明な点がございましたら、このメールにご返信ください。ショップはこちらからご覧いただけます：',
    origin,
  ],
  invite: ({ stall, link }) => [
    `アカウントのご案内（${stall}）`,
    `${stall}にお客様のアカウントが作成されました。次のリンクを開き、パスワードを設定してください：`,
    link,
    ONCE,
  ],
  helper: ({ stall, link, origin }) => [
    `編集へのご招待（${stall}）`,
    `${stall}から、本とスキルの追加・編集と、読者からの報告への対応を依頼されました。次のリンクを開き、パスワードを設定してください：`,
    link,
    `${ONCE}設定後の作業はこちらです：`,
    `${origin}/admin/items`,
  ],
  reset: ({ stall, link }) => [
    `パスワードの再設定（${stall}）`,
    `${stall}で、パスワード再設定のお手続きを受け付けました。次のリンクを開き、新しいパスワードを設定してください：`,
    link,
    ONCE,
    MISTAKE,
  ],
  'sign-in': ({ stall, link }) => [
    `ログイン用のリンク（${stall}）`,
    `${stall}へのログインのお申し込みを受け付けました。お申し込みになったブラウザで、次のリンクを開いてください：`,
    link,
    '別のブラウザで開くとコードが表示されます。お申し込みになったブラウザに入力してください。リンクは1回限り、30分間有効です。',
    MISTAKE,
  ],
  open: ({ stall, link }) => [
    `アカウントの作成（${stall}）`,
    `次のリンクを開いてパスワードを設定すると、${stall}のアカウントが作成されます：`,
    link,
    ONCE,
    MISTAKE,
  ],
  email: ({ stall, link }) => [
    `新しいメールアドレスの確認（${stall}）`,
    `${stall}で、アカウントのメールアドレスをこのアドレスに変更するお手続きを受け付けました。次のリンクを開いて、変更を確定してください：`,
    link,
    'このリンクは一度だけ使えます。有効期限は24時間です。',
    MISTAKE,
  ],
  taken: ({ stall, origin }) => [
    `このメールアドレスは登録済みです（${stall}）`,
    '別のアカウントのメールアドレスをこのアドレスに変更するお手続きがありましたが、このアドレスはすでに登録されているため、何も変更されません。登録済みのアカウントには、こちらからログインできます：',
    `${origin}/sign-in`,
  ],
  moving: ({ stall, holder, origin }) => [
    `メールアドレスの変更手続きがありました（${stall}）`,
    `お客様のパスワードを使って、アカウントのメールアドレスを${holder}に変更する手続きが行われました。新しいアドレスに届いたリンクが開かれるまで、何も変更されません。`,
    'お心当たりのない場合は、すぐに新しいパスワードを設定してください。設定すると、このリンクは無効になり、ほかのブラウザはすべてログアウトされます：',
    `${origin}/forgot`,
    'すでにメールアドレスが変更されている場合は、このメールにご返信いただくか、ショップの運営者にご連絡ください。',
  ],
  'wrong-codes': ({ stall, origin }) => [
    `確認コードの入力が繰り返し失敗しています（${stall}）`,
    'お客様のアカウントの2段階認証で、1日のうちに10回、誤ったコードが入力されました。入力した人は、お客様のパスワードを知っているか、アカウントへのリンクを持っています。ただし、ログインには成功していません。',
    'お心当たりのない場合は、すぐに新しいパスワードを設定してください：',
    `${origin}/dashboard/account/password`,
  ],
  'step-off': ({ stall, origin }) => [
    `2段階認証がオフになりました（${stall}）`,
    'お客様のアカウントの2段階認証がオフになりました。今後は、パスワードだけでログインできます。',
    'お心当たりのない場合は、すぐに新しいパスワードを設定し、2段階認証をオンに戻してください：',
    `${origin}/dashboard/account`,
  ],
  attention: ({ stall, count, origin }) => [
    `確認が必要な注文が${count}件あります（${stall}）`,
    `確認が必要な注文が${count}件あります：`,
    `${origin}/admin/orders`,
  ],
  reports: ({ stall, count, origin }) => [
    `読者からの報告が${count}件あります（${stall}）`,
    `未対応の読者からの報告が${count}件あります：`,
    `${origin}/admin/reports`,
  ],
  answered: ({ stall, titles, state, answer, origin }) => [
    `ご報告について（${stall}）`,
    `${titles}についてのご報告の状態は「${state}」です。`,
    ...(answer === '' ? [] : [answer]),
    `著者に送った内容はこちらでご覧いただけます：\n${origin}/dashboard/notes#sent`,
  ],
  sale: ({ stall, titles, price, ref, sold, paid, buyer, count, order }) => [
    `${sold}：${titles}（${stall}）`,
    `${titles}が${price}で売れました。${paid}`,
    `購入者：${buyer}
部数：${count}
注文番号：${ref}`,
    order,
  ],
  'e-reader': ({ stall, titles }) => [
    `ご依頼の本をお送りします（${stall}）`,
    `${stall}でご依頼いただいた${titles}を、お使いの電子書籍リーダーにお送りします。`,
  ],
  published: ({ stall, titles, read }) => [
    `公開されました：${titles}（${stall}）`,
    `お待たせいたしました。${titles}が公開され、お読みいただけるようになりました。`,
    `${yours.read}：\n${read}`,
  ],
  news: ({ stall, titles, news, link, read }) => [
    `更新のお知らせ：${titles}（${stall}）`,
    news,
    `こちらから開けます：\n${read}`,
    `このメールは、${titles}をお持ちの方、または購入された方にお送りしています。${stall}からのお知らせを停止するには、次のリンクを開いてください：`,
    link,
  ],
  subscribe: ({ stall, link }) => [
    `お知らせメールの確認（${stall}）`,
    `このメールアドレスで、${stall}からのお知らせのお申し込みがありました。次のリンクを開いて、メールアドレスを確認してください：`,
    link,
    'このリンクの有効期限は7日間です。',
    UNWANTED,
  ],
  'tell-me': ({ stall, titles, link }) => [
    `公開通知の確認：${titles}（${stall}）`,
    `${titles}の公開通知のお申し込みがありました。次のリンクを開いて、メールアドレスを確認してください：`,
    link,
    'このリンクの有効期限は7日間です。公開時に一度だけメールをお送りし、その後メールアドレスを消去します。',
    UNWANTED,
  ],
  told: ({ stall, titles, link, read }) => [
    `公開されました：${titles}（${stall}）`,
    `公開通知をお申し込みいただいた${titles}が公開されました。`,
    `こちらから開けます：\n${read}`,
    'お申し込みいただいた通知は、この1通で終了です。今後、このショップからのメールを一切ご希望にならない場合は、次のリンクを開いてください：',
    link,
  ],
  bulletin: ({ stall, titles, news, link, read }) => [
    `新着のお知らせ：${titles}（${stall}）`,
    news,
    `こちらから開けます：\n${read}`,
    `このメールは、${stall}からのお知らせをお申し込みの方にお送りしています。停止するには、次のリンクを開いてください：`,
    link,
  ],
};
