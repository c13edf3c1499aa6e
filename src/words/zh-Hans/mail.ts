import type { Words } from '../words.ts';
import type { MailFacts } from '../en/mail.ts';
import { yours } from './account.ts';

const MISTAKE = '如果不是您本人的操作，请忽略此邮件，一切保持不变。';

const UNWANTED = '如果不是您本人的操作，请忽略此邮件，我们不会再发别的邮件给您。';

const mayWrite = (stall: string): string =>
  `您购买的作品有新版本时，“${stall}”可能会发邮件告诉您。您随时可以拒绝，每封此类邮件中都可一键退订。`;

const forOthers = ({ copies, count }: Pick<MailFacts, 'copies' | 'count'>): readonly string[] =>
  copies === ''
    ? []
    : [
        count === '1'
          ? '您购买了两份。请把下面的链接转发给他人，另一个账号即可领取第二份：'
          : `您购买了多份。请把下面的链接转发给他人，另外 ${count} 个账号可以各领一份：`,
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
    disputed: '已暂停：付款存在争议，尚未解决',
    revoked: '已被店主关闭',
    ended: '已到期',
  },
  claim: ({ stall, titles, ref, link, origin, read, coming, ...others }) => [
    `您在“${stall}”的订单`,
    `感谢您购买${titles}，现已归您所有。`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    read === '' ? '请为您的书架设置密码：' : `设置密码，${yours.read}：`,
    link,
    ...(read === '' ? [] : [`下一页上还有“${yours.epub}”和“${yours.agent}”。`]),
    `链接在 7 天内有效，只能使用一次。如果已经过期，请在 ${origin}/claim 重新获取。`,
    ...forOthers(others),
    mayWrite(stall),
    `您的订单号是 ${ref}。如果您没有购买，那是有人填错了邮箱，请忽略此邮件。`,
  ],
  claimed: ({ stall, titles, ref, holder }) => [
    `您在“${stall}”的订单`,
    `感谢您购买${titles}。`,
    `所购内容已在账号 ${holder} 的书架上：领取订单时，登录的是这个账号。`,
    `如果这不是您的账号，请回复此邮件，并说明订单号 ${ref}。`,
  ],
  library: ({ stall, titles, ref, read, epub, origin, coming, ...others }) => [
    `已加入您在“${stall}”的书架`,
    `感谢您购买${titles}，现已归您所有。`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    ...(read === '' ? [] : [`${yours.read}：\n${read}`]),
    ...(epub === '' ? [] : [`${yours.epub}：\n${epub}`]),
    `${yours.agent}：\n${origin}/dashboard/connect`,
    ...forOthers(others),
    mayWrite(stall),
    `您的订单号是 ${ref}。`,
  ],
  ended: ({ stall, titles, ref, reason, origin }) => [
    `您在“${stall}”的订单`,
    `您的订单 ${ref} ${reason}。以下作品现在无法使用：${titles}。`,
    '本店网址：',
    origin,
  ],
  invite: ({ stall, link }) => [
    `您在“${stall}”的账号`,
    `“${stall}”为您准备了一个账号。请打开下面的链接设置密码：`,
    link,
    '链接在 72 小时内有效，只能使用一次。',
  ],
  reset: ({ stall, link }) => [
    `重设您在“${stall}”的密码`,
    `有人（可能是您本人）申请重设在“${stall}”的密码。请打开下面的链接设置新密码：`,
    link,
    '链接在 72 小时内有效，只能使用一次。',
    MISTAKE,
  ],
  open: ({ stall, link }) => [
    `创建您在“${stall}”的账号`,
    `请打开下面的链接设置密码，您在“${stall}”的账号随即创建：`,
    link,
    '链接在 72 小时内有效，只能使用一次。',
    MISTAKE,
  ],
  email: ({ stall, link }) => [
    `确认您在“${stall}”的新邮箱`,
    `有人（可能是您本人）申请把这个邮箱用于自己在“${stall}”的账号。请打开下面的链接确认：`,
    link,
    '链接在 24 小时内有效，只能使用一次。',
    MISTAKE,
  ],
  taken: ({ stall, origin }) => [
    `您在“${stall}”已有账号`,
    '有人（可能是您本人）申请把这个邮箱用于另一个账号。这个邮箱已有自己的账号，因此一切保持不变。请在这里登录：',
    `${origin}/sign-in`,
  ],
  moving: ({ stall, holder, origin }) => [
    `您在“${stall}”的邮箱即将更改`,
    `有人知道您的密码，并申请把您账号的邮箱改为 ${holder}。在对方打开发往该邮箱的链接之前，一切保持不变。`,
    '如果不是您本人，请立即在下面更改密码；链接会随之失效，其他人也都会退出登录：',
    `${origin}/forgot`,
    '如果邮箱已被更改，请回复此邮件，或联系店主。',
  ],
  'wrong-codes': ({ stall, origin }) => [
    `您在“${stall}”的账号有人输错验证码`,
    '有人在一天之内输错了十次两步验证的验证码。对方知道您的密码，或持有您账号的链接，但没有登录成功。',
    '如果不是您本人，请立即更改密码：',
    `${origin}/dashboard/account/password`,
  ],
  'step-off': ({ stall, origin }) => [
    `您在“${stall}”的两步验证已关闭`,
    '您账号的两步验证已关闭。从现在起，只凭密码即可登录。',
    '如果不是您本人的操作，请立即更改密码，并重新开启两步验证：',
    `${origin}/dashboard/account`,
  ],
  attention: ({ stall, count, origin }) => [
    `“${stall}”有 ${count} 个订单需要您处理`,
    `有 ${count} 个订单需要您处理：`,
    `${origin}/admin/orders`,
  ],
  reports: ({ stall, count, origin }) => [
    `“${stall}”有 ${count} 条读者反馈`,
    `有 ${count} 条读者反馈待处理：`,
    `${origin}/admin/reports`,
  ],
  sale: ({ stall, titles, price, ref, origin }) => [
    `“${stall}”售出：${titles}`,
    `您以 ${price} 售出了${titles}。订单号是 ${ref}：`,
    `${origin}/admin/orders`,
  ],
  published: ({ stall, titles, read }) => [
    `“${stall}”已发布：${titles}`,
    `${titles}已发布，并已归您所有。`,
    `${yours.read}：\n${read}`,
  ],
  news: ({ stall, titles, news, link, read }) => [
    `“${stall}”的新内容：${titles}`,
    news,
    `在这里打开：\n${read}`,
    `您收到此邮件，是因为您拥有或购买了${titles}。如果不想再收到“${stall}”的此类邮件，请打开下面的链接退订：`,
    link,
  ],
  subscribe: ({ stall, link }) => [
    `确认订阅“${stall}”的动态`,
    `有人（可能是您本人）申请用这个邮箱订阅“${stall}”的动态。请打开下面的链接确认：`,
    link,
    '链接在 7 天内有效。',
    UNWANTED,
  ],
  'tell-me': ({ stall, titles, link }) => [
    `确认接收“${stall}”的发布通知：${titles}`,
    `有人（可能是您本人）希望在${titles}发布时收到通知。请打开下面的链接确认邮箱：`,
    link,
    '链接在 7 天内有效。发布时您会收到一封邮件，之后我们即删除您的邮箱地址。',
    UNWANTED,
  ],
  told: ({ stall, titles, link, read }) => [
    `“${stall}”已发布：${titles}`,
    `按您的要求通知您：${titles}已发布。`,
    `在这里打开：\n${read}`,
    '您要求的通知到此为止。如果今后不想收到本店的任何邮件，请打开下面的链接：',
    link,
  ],
  bulletin: ({ stall, titles, news, link, read }) => [
    `“${stall}”的新内容：${titles}`,
    news,
    `在这里打开：\n${read}`,
    `您收到此邮件，是因为您订阅了“${stall}”的动态。如需退订，请打开下面的链接：`,
    link,
  ],
};
