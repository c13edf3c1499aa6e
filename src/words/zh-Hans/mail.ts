import type { Words } from '../words.ts';
import type { MailFacts } from '../en/mail.ts';
import { yours } from './account.ts';

const MISTAKE = '如果不是您本人的操作，忽略此邮件即可，不会有任何更改。';

const UNWANTED = '如果不是您本人的操作，忽略此邮件即可，我们不会再给您发邮件。';

const mayWrite = (stall: string): string =>
  `您购买的作品有新版本时，“${stall}”可能会发邮件通知您。您随时可以通过邮件中的链接一键退订。`;

const forOthers = ({ copies, count }: Pick<MailFacts, 'copies' | 'count'>): readonly string[] =>
  copies === ''
    ? []
    : [
        count === '1'
          ? '您购买了两份。把下面的链接发给另一个人，对方即可领取一份，加入自己的书架：'
          : `您购买了多份。把下面的链接发给其他人，还有 ${count} 人可以各领一份，加入自己的书架：`,
        copies,
      ];

const comingSoon = (titles: string): string => `尚未发布：${titles}。发布时，我们会发邮件通知您。`;

/** The mails in Simplified Chinese. */
export const mail: Words['mail'] = {
  hello: '您好：',
  yourPurchase: '订单中的作品',
  reasons: {
    refunded: '已退款',
    lost: '的款项因付款争议已被退回',
    disputed: '因付款争议尚未解决而暂停',
    revoked: '已被店主取消',
    ended: '已到期',
  },
  sold: { live: '售出', test: '测试订单' },
  paid: {
    live: '这是一笔真实的销售。',
    test: '这是一笔测试销售，没有实际付款。',
  },
  claim: ({ stall, titles, ref, link, origin, read, epub, coming, ...others }) => [
    `【${stall}】感谢您的购买`,
    `感谢您购买${titles}。`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    read === '' ? '请打开下面的链接，将所购作品加入您的书架：' : '请打开下面的链接，即可阅读：',
    link,
    ...(epub === '' ? [] : [`在下一页，您还可以选择“${yours.epub}”或“${yours.agent}”。`]),
    `链接在 7 天内有效，只能使用一次。如果已经过期，可在 ${origin}/claim 重新获取。`,
    ...forOthers(others),
    mayWrite(stall),
    `您的订单号是 ${ref}。如果您没有购买过，可能是有人填错了邮箱，忽略此邮件即可。`,
  ],
  claimed: ({ stall, titles, ref, holder }) => [
    `【${stall}】感谢您的购买`,
    `感谢您购买${titles}。`,
    `领取订单时登录的是账号 ${holder}，您购买的作品已加入该账号的书架。`,
    `如果这不是您的账号，请直接回复此邮件，并注明订单号 ${ref}。`,
  ],
  library: ({ stall, titles, ref, read, epub, origin, coming, ...others }) => [
    `【${stall}】${yours.title}`,
    `感谢您购买${titles}，作品${yours.title}。`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    ...(read === '' ? [] : [`${yours.read}：\n${read}`]),
    ...(epub === '' ? [] : [`${yours.epub}：\n${epub}`]),
    `${yours.agent}：\n${origin}/dashboard/connect`,
    ...forOthers(others),
    mayWrite(stall),
    `您的订单号是 ${ref}。`,
  ],
  ended: ({ stall, titles, ref, reason, origin }) => [
    `【${stall}】关于您的订单`,
    `感谢您光临“${stall}”。您的订单 ${ref} ${reason}，因此您现在无法使用${titles}。`,
    '如有疑问，请直接回复此邮件。本店网址：',
    origin,
  ],
  invite: ({ stall, link }) => [
    `【${stall}】您的账号`,
    `“${stall}”已为您开通账号。请打开下面的链接设置密码：`,
    link,
    '链接在 72 小时内有效，只能使用一次。',
  ],
  helper: ({ stall, link, origin }) => [
    `【${stall}】邀请您参与编辑`,
    `“${stall}”邀请您添加和编辑书籍与技能，并处理读者的反馈。请打开下面的链接设置密码：`,
    link,
    '链接在 72 小时内有效，只能使用一次。设置后请到这里开始工作：',
    `${origin}/admin/items`,
  ],
  reset: ({ stall, link }) => [
    `【${stall}】重设密码`,
    `我们收到了重设您“${stall}”账号密码的申请。请打开下面的链接设置新密码：`,
    link,
    '链接在 72 小时内有效，只能使用一次。',
    MISTAKE,
  ],
  'sign-in': ({ stall, link }) => [
    `【${stall}】登录链接`,
    `我们收到了登录“${stall}”的申请。请在同一浏览器中打开下面的链接：`,
    link,
    '如果在其他浏览器中打开，会显示一个代码，请在申请登录的浏览器中输入。链接在 30 分钟内有效，只能使用一次。',
    MISTAKE,
  ],
  open: ({ stall, link }) => [
    `【${stall}】创建账号`,
    `请打开下面的链接并设置密码，完成“${stall}”账号的创建：`,
    link,
    '链接在 72 小时内有效，只能使用一次。',
    MISTAKE,
  ],
  email: ({ stall, link }) => [
    `【${stall}】确认新邮箱`,
    `我们收到了把“${stall}”账号的邮箱改为此邮箱的申请。请打开下面的链接确认：`,
    link,
    '链接在 24 小时内有效，只能使用一次。',
    MISTAKE,
  ],
  taken: ({ stall, origin }) => [
    `【${stall}】您已有账号`,
    '我们收到了把另一个账号的邮箱改为此邮箱的申请。此邮箱已注册过账号，因此不会有任何更改。您可以在这里登录：',
    `${origin}/sign-in`,
  ],
  moving: ({ stall, holder, origin }) => [
    `【${stall}】您的邮箱即将更改`,
    `有人使用您的密码，申请把您账号的邮箱改为 ${holder}。在发往该邮箱的链接被打开之前，不会有任何更改。`,
    '如果不是您本人的操作，请立即打开下面的页面重设密码；该链接会随之失效，其他浏览器也都会退出登录：',
    `${origin}/forgot`,
    '如果邮箱已被更改，请直接回复此邮件，或联系店主。',
  ],
  'wrong-codes': ({ stall, origin }) => [
    `【${stall}】验证码多次输入错误`,
    '一天之内，您账号的两步验证有 10 次输错了验证码。输入者知道您的密码，或持有您账号的链接，但未能登录。',
    '如果不是您本人的操作，请立即更改密码：',
    `${origin}/dashboard/account/password`,
  ],
  'step-off': ({ stall, origin }) => [
    `【${stall}】两步验证已关闭`,
    '您账号的两步验证已关闭。从现在起，只凭密码即可登录。',
    '如果不是您本人的操作，请立即更改密码，并重新开启两步验证：',
    `${origin}/dashboard/account`,
  ],
  attention: ({ stall, count, origin }) => [
    `【${stall}】有 ${count} 个订单需要您处理`,
    `有 ${count} 个订单需要您处理：`,
    `${origin}/admin/orders`,
  ],
  reports: ({ stall, count, origin }) => [
    `【${stall}】有 ${count} 条读者反馈`,
    `有 ${count} 条读者反馈待处理：`,
    `${origin}/admin/reports`,
  ],
  answered: ({ stall, titles, state, answer, origin }) => [
    `【${stall}】您的反馈`,
    `您对${titles}的反馈，状态为“${state}”。`,
    ...(answer === '' ? [] : [answer]),
    `您发给作者的全部内容都在这里：\n${origin}/dashboard/notes#sent`,
  ],
  sale: ({ stall, titles, price, ref, sold, paid, buyer, count, order }) => [
    `【${stall}】${sold}：${titles}`,
    `${titles}已售出，售价 ${price}。${paid}`,
    `买家：${buyer}
份数：${count}
订单号：${ref}`,
    order,
  ],
  'e-reader': ({ stall, titles }) => [
    `【${stall}】发送到阅读器的书`,
    `这是您在“${stall}”申请发送到阅读器的${titles}。`,
  ],
  published: ({ stall, titles, read }) => [
    `【${stall}】已发布：${titles}`,
    `${titles}已发布，并${yours.title}。`,
    `${yours.read}：\n${read}`,
  ],
  news: ({ stall, titles, news, link, read }) => [
    `【${stall}】新内容：${titles}`,
    news,
    `打开链接查看：\n${read}`,
    `您收到此邮件，是因为您拥有或购买了${titles}。如果不想再收到“${stall}”的此类邮件，请打开下面的链接退订：`,
    link,
  ],
  subscribe: ({ stall, link }) => [
    `【${stall}】确认订阅动态`,
    `我们收到了用此邮箱订阅“${stall}”动态的申请。请打开下面的链接确认：`,
    link,
    '链接在 7 天内有效。',
    UNWANTED,
  ],
  'tell-me': ({ stall, titles, link }) => [
    `【${stall}】确认接收发布通知：${titles}`,
    `我们收到了用此邮箱接收${titles}发布通知的申请。请打开下面的链接确认：`,
    link,
    '链接在 7 天内有效。发布时您会收到一封邮件，之后我们即删除您的邮箱地址。',
    UNWANTED,
  ],
  told: ({ stall, titles, link, read }) => [
    `【${stall}】已发布：${titles}`,
    `您关注的${titles}已发布。`,
    `打开链接查看：\n${read}`,
    '您申请的发布通知仅此一封。如果今后不想收到本店的任何邮件，请打开下面的链接：',
    link,
  ],
  bulletin: ({ stall, titles, news, link, read }) => [
    `【${stall}】新内容：${titles}`,
    news,
    `打开链接查看：\n${read}`,
    `您收到此邮件，是因为您订阅了“${stall}”的动态。如需退订，请打开下面的链接：`,
    link,
  ],
};
