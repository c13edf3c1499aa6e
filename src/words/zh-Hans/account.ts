import type { Words } from '../words.ts';

export const yours: Words['account']['yours'] = {
  othersByMail: ({ left }) => `还有 ${left} 份是给别人的。请转发邮件中的链接，或在此生成新的链接。`,
  othersByLink: ({ left }) => `还有 ${left} 份是给别人的。请在此生成链接并转发。`,
  title: '已加入您的书架',
  read: '立即阅读',
  epub: '下载 EPUB',
  zip: '下载 ZIP',
  agent: '在智能体中使用',
  agentNote: '您的智能体可以阅读、搜索您拥有的作品，也可以提问。这需要一个密钥；密钥只显示一次。',
  makeKey: '创建密钥',
  keyName: '我的智能体',
  lines: '各智能体的接入方法',
  order: ({ order }) => `订单 ${order}。`,
  password: (link) => ['这里不需要密码。如果想用密码登录，请', link('现在设置'), '。'],
  stays: (library) => ['您随时可以在', library('书架'), '上找到它。'],
  staysWithReceipt: ({ provider, library, receipt }) => [
    '您随时可以在',
    library('书架'),
    `上找到它，并在 ${provider} 查看`,
    receipt('收据'),
    '。',
  ],
};

const signIn: Words['account']['signIn'] = {
  title: '登录',
  password: '密码',
  toAsk: ({ title }) => `凡有本店账号的人，登录后都可以向《${title}》提问，并得到出自书中的回答。`,
  toAskOwned: ({ title }) => `拥有《${title}》的读者，登录后可以向此书提问，并得到出自书中的回答。`,
  notByProxy:
    '本店使用您所在组织的登录系统，但该系统没有告知此页面是谁在访问。请用新版浏览器重新加载；如果仍然不行，请联系店主。',
  forgot: '忘记密码？',
  mailLink: '用邮件发送登录链接',
  noAccount: (link) => ['还没有账号？', link('立即注册'), '。'],
  bought: ({ find, redeem: enter }) => ['已在本店购买？', find('找回订单'), '或', enter('使用兑换码'), '。'],
  anythingElse: '还有其他问题？',
  noWayIn: '还没有账号，或忘记了密码？',
  ask: '请联系店主。',
  askAt: ({ contact }) => ['请联系店主：', contact, '。'],
};

const secondStep: Words['account']['secondStep'] = {
  title: '输入验证码',
  code: '验证码',
  hint: '手机应用显示的六位数字，或一个恢复码',
  cancel: '取消',
};

const links: Words['account']['links'] = {
  '/set-up': {
    title: '设置本店',
    lead: '您将成为店主：可以添加账号、授权作品和查看日志。',
    button: '成为店主',
  },
  '/invite': {
    title: '欢迎',
    lead: '设置密码，打开您的书架。',
    button: '设置密码并登录',
  },
  '/reset': {
    title: '设置新密码',
    lead: '其他浏览器都会退出登录。您的智能体可继续阅读，除非您的邮箱此前从未验证过。',
    button: '设置密码并登录',
  },
  '/open': {
    title: '创建账号',
    lead: '请设置密码，账号随即创建。',
    button: '创建账号并登录',
  },
  demo: {
    title: '演示店的后台',
    lead: '看看出版方能看到什么：订单、读者和数据。本店下次启动时，这个店主身份随即失效，并生成新链接。',
    button: '打开后台',
  },
  isFor: ({ email }) => ['邮箱：', email],
  goOn: '继续',
  code: '链接中的代码',
  codeHint: '您收到的网址中 # 之后的部分',
};

const signInLink: Words['account']['signInLink'] = {
  title: '使用链接登录',
  lead: '请在此浏览器中打开邮件里的链接。如果在其他浏览器中打开，那里会显示一个代码，请在这里输入。',
  code: '代码',
  hint: '八个字母和数字',
  elsewhere: '请在申请登录的浏览器中输入此代码',
  elsewhereLead:
    '另一个浏览器申请了登录，请在那里输入代码。如果不是您本人，请关闭此页面，不要把代码告诉任何人。',
};

const newEmail: Words['account']['newEmail'] = {
  title: '确认新邮箱',
  lead: '确认后，请用此邮箱登录。您的其他浏览器会退出登录。',
  password: '您的密码',
  passwordHint: '申请改用此邮箱的那个账号的密码',
  button: '使用此邮箱',
  changed: '邮箱已更改',
  changedLead: ({ email }) => `请用 ${email} 和原来的密码登录。`,
};

const requests: Words['account']['requests'] = {
  '/forgot': {
    title: '忘记密码？',
    lead: '请输入账号的邮箱，我们会发去一个链接，用来设置新密码。',
    sent: '如果此邮箱有账号，链接会很快送达。每小时最多可申请三次。',
  },
  '/sign-up': {
    title: '注册账号',
    lead: '请输入您的邮箱，我们会发去一个链接。打开链接并设置密码后，账号即创建。',
    sent: '发往此邮箱的链接会很快送达。每小时最多可申请三次。',
  },
  '/sign-in/mail': {
    title: '通过邮件登录',
    lead: '请输入您账号的邮箱。我们会发送一个登录链接，30 分钟内有效。',
    sent: '如果此邮箱有账号，链接已在发送途中。每小时可申请三次。',
  },
  button: '发送链接',
};

const subscribe: Words['account']['subscribe'] = {
  news: {
    title: '本店动态',
    hint: '有新内容时发邮件告诉您，一键即可退订。',
    button: '订阅动态',
    confirmed: '订阅成功',
    confirmedLead: '每封邮件中都有退订链接。',
  },
  told: {
    title: '发布时通知我',
    hint: '发布时发一封邮件，之后即删除您的邮箱地址。',
    button: '通知我',
    confirmed: '届时会通知您',
    confirmedLead: '发布时您会收到一封邮件，之后我们即删除您的邮箱地址。',
  },
  sent: {
    title: '请查收邮件',
    lead: '如果此邮箱可以接收本店的邮件，确认链接会很快送达。请在 7 天内打开；在此之前，我们不会再发别的邮件。',
  },
  confirm: {
    title: '确认邮箱',
    lead: '确认后，本店即可向您发送您申请的邮件。',
    button: '确认',
  },
};

const news: Words['account']['news'] = {
  title: '退订动态邮件',
  lead: '退订后，此邮箱将不再收到动态邮件，也不再收到您拥有或购买的作品的更新通知。',
  button: '退订',
  ended: '已退订',
  endedLead: '我们不会再向此邮箱发送动态。如果此邮箱有账号，可在账号页面重新开启。',
};

const redeem: Words['account']['redeem'] = {
  title: '使用兑换码',
  lead: '输入兑换码，即可获得对应的图书、Skill 或套装。',
  opens: ({ items }) => ['此兑换码可兑换：', items, '。'],
  makeAccount: (link) => ['请注册账号来保存所得作品；如果已有账号，请', link('登录'), '，兑换码会为您保留。'],
  account: '注册账号',
  code: '兑换码',
  codeHint: '形如 svg_ABCDE-FGHJK-…，不区分大小写，连字符可省略',
  accountAndGet: '注册账号并兑换',
  goOn: '继续',
  addTo: ({ email }) => `添加到 ${email}`,
};

const claim: Words['account']['claim'] = {
  waitingFor: ({ provider }) => `正在等待 ${provider}`,
  yours: '您的订单',
  find: '找回订单',
  sentAgain: '如果此邮箱在本店有订单，邮件会很快送达。每小时最多可申请三次。',
  late: '此页面只能在 24 小时内领取订单。请使用邮件中的链接，或在下方重新发送邮件。',
  refunded: '此订单已退款，不再有效。',
  given: '此订单已作为礼物送出，请在“使用兑换码”页面输入兑换码领取。',
  claimed: ({ holder }) =>
    holder === ''
      ? '此订单已在另一个账号的书架上。请登录那个账号阅读。'
      : `此订单已在账号 ${holder} 的书架上。请登录该账号阅读。`,
  signIn: '登录',
  notYours: '不是您的邮箱？',
  notYoursNote: ({ contact, order }) => [
    '如果付款时填错了邮箱，请在这里登录您自己的账号，或用您自己的邮箱联系',
    ...(contact === null ? ['店主'] : [' ', contact]),
    `，并说明订单号 ${order}。`,
  ],
  paidOrder: ({ ref }) => `已付款。订单 ${ref}`,
  refundedOrder: ({ ref }) => `已退款。订单 ${ref}`,
  add: '添加订单',
  addTo: ({ email }) => `添加到 ${email}`,
  known: ({ holder }) => `${holder} 在本店已有账号，请登录后添加订单。`,
  signInToAdd: '请登录，把订单添加到您的账号。',
  others: ({ count }) => `您购买了 ${count + 1} 份：一份放入您的书架，另外 ${count} 份的链接在下一页。`,
  waits: ({ provider }) => `${provider} 会把付款结果通知本店，通常只要几秒。此页面会自动刷新。`,
  waitsLong: ({ contact, end }) => [
    '这次等待的时间比平时长。您的订单不会丢失：确认付款后，您会收到邮件。如果没有收到，请联系',
    ...(contact === null ? ['店主'] : [' ', contact]),
    '，并说明末尾为 ',
    end,
    ' 的编号。',
  ],
  forSomebody: '要送给别人？',
  presentNote: '您会得到一个可以转送的兑换码。谁使用兑换码，作品就归谁；您自己不再拥有。',
  present: '作为礼物送出',
  presentTitle: '礼物',
  presentOpens: ({ items }) => ['第一个使用此兑换码的人将获得：', items, '。'],
  enterAt: ({ url }) => `请在 ${url} 兑换；兑换码只显示这一次`,
  keepCode: ({ order }) =>
    `请妥善保存兑换码，直到有人使用。如果丢失，请联系店主补发，并说明订单号 ${order}。`,
  toMail: (link) => ['收到过本店的邮件？', link('使用其中的链接，或重新发送邮件')],
  link: '您收到的链接',
  byLink: '使用您收到的链接',
  boughtWith: ({ email }) => ['购买时使用的邮箱是 ', email, '。'],
  open: '放入我的书架',
  hasAccount: ({ email }) => [email, ' 在本店已有账号。请先登录，再重新打开邮件中的链接。'],
  gumroad: '在 Gumroad 购买的？',
  byLicenseKey: '通过许可证密钥',
  licenseKey: '许可证密钥',
  licenseKeyHint: '见 Gumroad 的收据',
  findMine: '查找订单',
  noMail: '没有链接？本店不发送邮件，请联系店主，并说明您的订单号。',
  noMailAsk: ({ contact }) => ['没有链接？本店不发送邮件，请联系店主（', contact, '），并说明您的订单号。'],
  address: '您的邮箱',
  addressNote: '通过购买后收到的邮件即可领取。如需重新发送，请输入付款时填写的邮箱。',
  sendAgain: '重新发送',
};

const demo: Words['account']['demo'] = {
  pretended: ({ provider }) => `${provider} 只是模拟：不需要银行卡，也不会真的扣款。`,
  pay: '付款',
  emailHint: '真正付款时由买家填写，这里填任意邮箱即可',
  payPrice: ({ price }) => `付款 ${price}（模拟）`,
  receipt: '收据',
  givenBack: '已退款。买家无法再阅读。',
  paid: ({ price, at }) => [`${price}，支付于 `, at],
  refund: '退款',
  refundNote: '买家将无法再阅读，与真正退款后一样。',
  giveBack: '退款（模拟）',
  back: '返回店铺',
};

const said: Words['account']['said'] = {
  'book-mailed': '书已发出，可能需要几分钟才会出现在阅读器上。',
  'note-sent': '已发送给作者。如有答复，会显示在此处。',
  'news-begun': '您拥有的作品有新内容时，我们会发邮件告诉您，每天最多一封。',
  'news-ended': '动态邮件已关闭。最多只会收到出版方的公告。',
  'agent-link-revoked': '链接已撤销。仍在使用它的智能体将无法获取任何内容。',
  'key-revoked': '密钥已撤销。仍在使用它的程序将被拒绝访问。',
  'password-changed': '密码已更改。其他浏览器均已退出登录；您的密钥继续有效。',
  'email-asked': '如果新邮箱可用，确认链接会很快送达。请在 24 小时内打开；在此之前，不会有任何更改。',
  'email-changed': '邮箱已更改。其他浏览器均已退出登录；您的密钥继续有效。',
  'places-kept': '本店从现在起会记住您读到哪里。',
  'places-forgotten': '本店已删除您的阅读进度，今后也不再记录。',
  'assistant-ended': '已断开连接。该助手需要重新登录。',
  'assistant-saved': '已保存，从下一次对话起生效。',
  'session-ended': '该浏览器已退出登录。',
  'sessions-ended': '其他浏览器均已退出登录。',
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
