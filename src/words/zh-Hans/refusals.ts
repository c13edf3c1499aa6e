import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';

const f = formatsIn('zh-Hans-CN');

const ACTS = {
  look: (item: string) => `查看${item}`,
  read: (item: string) => `阅读${item}`,
  install: (item: string) => `安装${item}`,
  zip: (item: string) => `下载${item}`,
  take: (item: string) => `获取${item}`,
  files: (item: string) => `读取${item}的文件`,
  ask: (item: string) => `向${item}提问`,
};

const account: Words['refusals']['account'] = {
  overPlainHttp:
    '无法从另一台设备通过未加密的 http 登录。请改用 https 打开本店，或以 --insecure-http 启动本店。',
  hasOwner: '本店已有店主，请直接登录。',
  byProxy: '本店不使用密码，请通过您所在组织的登录系统进入。请前往首页。',
  proxyHeader: ({ header }) =>
    `登录设置有误：代理必须只发送一次 ${header} 请求头，其中只含一个 ASCII 邮箱地址。请告知管理员。`,
  proxyUnknown: ({ address }) => `${address} 在本店没有账号，请联系店主开通。`,
  cannotMailLink: '本店不发送邮件，请向店主索取链接。',
  cannotSignUp: '本店不开放注册，请联系店主开通账号。',
  cannotMailNews: '本店不发送邮件，因此无法订阅动态。',
  cannotEndNews: '无法通过此链接退订：它已过期，或不是本店生成的。您也可以在账号页面退订。',
  notAnEReader: ({ text }) => `无法把书发送到“${text}”，请输入一个以 @kindle.com 或 @pbsync.com 结尾的邮箱。`,
  mailedEnough: ({ most }) => `24 小时内最多向阅读器发送 ${most} 本书，请明天再试，或下载 EPUB。`,
  bookTooLarge: ({ size, most }) => `此 EPUB 有 ${size}，超出邮件的上限 ${most}，请直接下载。`,
  notAnEmail: ({ text }) => `“${text}”不是有效的邮箱地址，请写成 name@example.org 的形式。`,

  wrongSignIn: '邮箱或密码不正确。请重新输入，或重设密码。',
  wrongSignInCode: ({ most }) => `此代码或链接不正确，或已使用。输错 ${most} 次后，请重新申请邮件。`,
  disabled: '此账号已停用，请联系店主启用。',
  passwordChanged: '登录过程中，密码被更改或账号被停用。请重新登录。',
  signInLater: ({ seconds }) => `失败次数过多，请在 ${f.number(seconds)} 秒后重试。`,
  passwordsLater: '当前登录的人太多，请稍等一秒再试。',

  wrongSecondCode: '验证码错误、已过期或已使用。请输入应用当前显示的验证码。',
  secondCodesLater: ({ seconds }) => {
    const minutes = Math.ceil(seconds / 60);
    return minutes === 1
      ? '输错次数过多，请在 1 分钟后重试。'
      : `输错次数过多，请在 ${f.number(minutes)} 分钟后重试，或改用另一种验证码。`;
  },
  codeTooLate: '输入密码已超过五分钟，请重新登录。',
  wrongStepPassword: '密码不正确，请重新输入。',

  passwordBlank: '密码为空，请输入密码。',
  passwordShort: ({ count, fewest }) =>
    `密码太短：只有 ${f.number(count)} 个字符，至少需要 ${f.number(fewest)} 个，最好由多个词组成。`,
  passwordLong: ({ count, most }) => `密码太长：有 ${f.number(count)} 个字符，最多 ${f.number(most)} 个。`,
  passwordIsName: '这个密码太容易猜到：它就是您的邮箱或本店的名称。请换一个，最好由多个词组成。',
  passwordIsCommon: '这个密码太容易猜到：它是最常见的密码之一。请换一个，最好由多个词组成。',
  wrongCurrent: '当前密码不正确，请重新输入。',

  emailIsYours: ({ email }) => `“${email}”已经是您的邮箱，请输入另一个。`,
  emailUnmailable: ({ email }) => `无法向“${email}”发送邮件，请输入另一个邮箱。`,
  emailWrongPassword: '密码不正确，请重新输入。',
  emailNotTheirs: '请输入申请更改邮箱的那个账号的密码。如果不是您申请的，请关闭此页面。',
  emailNeedsSignIn: '请先登录申请此邮箱的账号，再重新打开链接。',
  signInFirst: '请先用邮件中的链接再登录一次。',
  wrongPassword: '密码不正确，请重新输入。',
  noSession: '该浏览器已经退出登录。',
  noAssistant: '该助手已经断开。',

  linkUnusable:
    '此链接无法使用：它已用过、已过期，或不是本店生成的。如果已有账号，请直接登录；否则请联系店主获取新链接。',
  linkOfAccount: '此链接对应的邮箱已有账号。请先登录，再重新打开链接。',

  claimsLater: '查找不存在的订单次数过多，请等一分钟，再重新加载页面。',
  cannotClaim: '此订单已被领取，或对应的邮箱已有账号。请登录。',
  purchaseForgotten: '购买已超过一小时。请使用邮件中的链接，或重新发送邮件。',
  heldByOther: ({ ref, holder }) => `订单 ${ref} 已在 ${holder} 的书架上，请登录该账号。`,
  orderGivenBack: ({ ref }) => `订单 ${ref} 已退款。如有差错，请联系店主。`,
  orderDisputed: ({ ref }) => `订单 ${ref} 的付款存在争议。请在争议解决后重新打开链接。`,
  orderOpensNothing: ({ ref }) => `订单 ${ref} 目前无效。如有差错，请联系店主。`,
  orderIsPresent: ({ ref }) => `订单 ${ref} 已转为礼物，请在“使用兑换码”页面输入兑换码。`,
  notYourPresent: '只有拥有此订单的账号才能把它作为礼物送出。请登录该账号，或联系店主。',
  presentBefore: ({ ref }) => `订单 ${ref} 已经是礼物，或尚未付款。`,

  codeEmpty: '请输入兑换码。',
  codesLater: ({ seconds }) => `输错兑换码的次数过多，请在 ${f.number(seconds)} 秒后重试。`,
  code: {
    unknown: '本店没有这个兑换码，请与您收到的核对。',
    revoked: '此兑换码已作废，请向给您兑换码的人询问。',
    late: '此兑换码已过期，请向给您兑换码的人询问。',
    used: '此兑换码的使用次数已用完，请向给您兑换码的人询问。',
    unpaid: '此兑换码对应的订单已退款或已到期，请向给您兑换码的人询问。',
  },
  codeNeedsEmail: '请输入您的邮箱来注册账号，例如 ada@example.org。',
  codeForOthers: '您自己的一份已在书架上，此兑换码是留给其他人的，不能用购买它的账号兑换。',
  noMoneyBack: '无法申请退款：此订单不属于您或未付款、保证期已过，或您已经申请过。',
  noCopies: '无法生成链接：您没有包含他人份额的已付款订单。',
  codeOfAccount: '此邮箱已有账号。请先登录，再重新输入兑换码。',

  notForSale: ({ slug }) => `没有名为“${slug}”的在售作品。`,
  noOrder: ({ provider, key }) => `在 ${provider} 找不到订单 ${key}。`,
};

const request: Words['refusals']['request'] = {
  titles: {
    401: '请先登录',
    403: '没有权限',
    404: '页面不存在',
    405: '不支持此操作',
    413: '内容过大',
    429: '请求过多',
    503: '暂时无法使用',
  },
  failed: '出错了',
  toShop: '全部图书和 Skill',

  noPage: '请检查网址是否正确。全部图书和 Skill 都在首页。',
  notFound: ({ name }) => `找不到“${name}”。全部图书和 Skill 都在首页。`,
  noFile: '找不到此文件，请重新加载页面。',
  otherMethod: ({ method, allow }) => `此地址不支持 ${method}，请使用 ${allow}。`,
  internal: ({ id }) => `内部错误。店主可在日志中按请求编号 ${id} 查到。`,
  storage: ({ id }) => `暂时无法保存，请稍后再试。店主可在日志中按请求编号 ${id} 查到原因。`,
  outOfFiles: '当前连接太多，请稍后再试。',

  signIn: '此页面需要登录。请登录后重试。',
  foreignForm: ({ origin }) => `此表单不是从本店页面提交的。请打开 ${origin}，从那里提交。`,
  badTarget: '地址中含有反斜杠、点号目录段或主机名。请只发送路径，并用“%5C”代替“\\”。',
  keyInQuery:
    'API 密钥不能写在网址中。请用“Authorization: Bearer svc_…”发送；如果别人可能看到过这个网址，请撤销该密钥。',

  cutShort: '请求没有完整送达。',
  tooSlow: ({ seconds }) => `请求未能在 ${f.number(seconds)} 秒内完整送达，请加快发送。`,
  tooLarge: ({ kib }) => `请求超过 ${f.number(kib)} KiB，请缩短后再发送。`,
  bodiesLater: '当前这样大的请求太多，请重新发送。',
  manyFields: ({ most }) => `表单超过 ${f.number(most)} 个字段，请从原页面提交。`,
  noForm: '无法读取此表单，请从原页面提交。',

  addressLater: ({ limit, seconds, wait }) =>
    `此地址在 ${f.number(seconds)} 秒内的请求超过 ${f.number(limit)} 次，请等待 ${f.number(wait)} 秒。`,
  accountLater: ({ limit, seconds, wait }) =>
    `此账号在 ${f.number(seconds)} 秒内的请求超过 ${f.number(limit)} 次，请等待 ${f.number(wait)} 秒。`,
  questionsAtOnce: ({ most }) => `一个账号最多可同时提 ${f.number(most)} 个问题，请等其中一个回答完。`,
  filesAtOnce: '一个账号一次只能保存一个文件，请等前一个完成。',
  listsAtOnce: ({ most }) => `一个账号最多可同时加载 ${f.number(most)} 个长列表，请等其中一个完成。`,
  downloadsLater: '当前下载太多，请等一些下载完成后再试。',
  searchesAtOnce: ({ most }) => `最多可同时进行 ${f.number(most)} 个搜索，请等其中一个完成。`,
};

const library: Words['refusals']['library'] = {
  key: {
    notFound: ({ id }) => `您没有密钥“${id}”，请重新打开密钥列表。`,
    badName: ({ most }) => `名称不可用：请输入 1 至 ${f.number(most)} 个字符，不含换行。`,
    full: ({ most }) => `一个账号最多有 ${f.number(most)} 个有效密钥，请先撤销一个。`,
    sentBefore:
      '此表单已提交过，因此没有再创建密钥。如果列表中的密钥不是您复制的那个，请撤销它，再重新提交表单。',
  },
  token: {
    notFound: ({ id }) => `您没有链接“${id}”，请重新打开链接列表。`,
    badName: ({ most }) => `名称不可用：请输入 1 至 ${f.number(most)} 个字符，不含换行。`,
    full: ({ most }) => `一个账号最多有 ${f.number(most)} 个有效链接，请先撤销一个。`,
    sentBefore:
      '此表单已提交过，因此没有再创建链接。如果列表中的链接不是您复制的那个，请撤销它，再重新提交表单。',
    unknown: '此链接无法打开：可能输错了，或已被撤销、已过期。创建者可在 /dashboard/connect 页面新建一个。',
  },
  noTerm: ({ text }) => `有效期不能是“${text}”：请输入 1 至 9999 的天数，或 never（永不过期）。`,
  notHeld: '您已不再拥有这件作品，请选择其他作品。',
  unknownKey: ({ key }) => `没有密钥“${key}”，请从列表中选择。`,
  noTime: ({ text }) => `无法识别时间“${text}”，请写成 2026-11-20 或 2026-11-20T14:30:00Z。`,
};

export const refusals: Words['refusals'] = {
  account,
  request,
  library,
  reading: {
    noFile: ({ path, slug, page }) => `“${slug}”中没有“${path}”。全部文件见 ${page}`,
    cannot: ({ action, slug, wasSold }) => `无法${ACTS[action](`“${slug}”${wasSold ? '的付费版本' : ''}`)}`,
    notYours: ({ cannot, remedy }) => `${cannot}：它不在您的书架上。${remedy}`,
    notYet: ({ expected }) => `尚未发布${expected === null ? '' : `（预计：${expected}）`}。`,
    free: ({ slug }) => `它是免费的，可通过 /api/install/${slug} 安装`,
    buyAt: ({ price, url }) => `价格 ${price}，购买地址：${url}`,
    buyFrom: ({ price, contact }) => `价格 ${price}，购买请联系：${contact}`,
    buyOf: ({ price, publisher }) => `价格 ${price}，购买请联系出版方：${publisher}`,
    orConfirm: ({ url, remedy }) => `如果是用此账号的邮箱购买或获赠的，请先验证该邮箱： ${url} 。${remedy}`,
    notPublished: ({ slug }) => `“${slug}”尚未发布，无法提供；预计发布时间见其页面。`,
    noText: ({ slug }) => `“${slug}”没有可用来回答问题的文字。`,
    unproven: ({ slug }) => `无法证明“${slug}”的引文：出版方没有签名。`,
    proofsLater: ({ most }) => `付费书籍每小时最多可证明 ${most} 处引文，请稍后再试。`,
    sessionEnded: ({ slug }) => `无法继续使用“${slug}”：登录已失效，请重新登录。`,
    stopped: '回答中途停止了，请再问一次。',
    tokensSpent: '本店今天的模型用量已用完，请在 UTC 午夜之后再问。',
    questionsSpent: ({ most }) => `每天最多可向模型提 ${f.number(most)} 个问题，请在 UTC 午夜之后再问。`,
    epubFailed: ({ slug }) => `“${slug}”的 EPUB 生成失败。请稍后再试，并告知店主。`,
    epubEmpty: ({ slug }) => `“${slug}”没有章节，无法生成 EPUB，请改为安装。`,
    epubBusy: '当前正在生成的 EPUB 太多，请一分钟后再试。',
    reports: {
      many: ({ most }) => `待处理的反馈最多 ${f.number(most)} 条，请等作者处理一些后再发送。`,
      noQuestion: ({ most }) =>
        `无法发送此问题：长度须为 1 至 ${f.number(most)} 个字符。请先向本书提问，再从那里发送。`,
    },
    notes: {
      noPage: '无法从这条笔记继续：它已被删除，或对应的书已无法打开。请重新打开您的笔记。',
      noText: ({ path }) => `本书中没有文本“${path}”。`,
      noWords: ({ most }) =>
        `无法保存所选文字：一条笔记须对应同一文本中的 1 至 ${f.number(most)} 个字符。请重新选择。`,
      noNote: '找不到这条笔记：它已被删除，或不是您的。',
      many: ({ most }) => `一本书最多可有 ${f.number(most)} 条笔记，请先删除一些。`,
      full: ({ megabytes }) => `笔记最多可占 ${f.number(megabytes)} MB，请先删除一些。`,
      tooLong: ({ most }) => `一条笔记最多 ${f.number(most)} 个字符，请缩短。`,
      newEdition: '本书有了新版本。请重新加载页面，再次选择这些文字。',
      noPlace: '无法确定所选文字在正文中的位置，请重新选择。',
    },
    model: {
      cut: '模型的回答被截断，请再问一次。',
      gaveUp: '模型没有完成回答，请再问一次。',
      overloaded: '模型负载过高，请过一会儿再问。',
      refused: '模型目前拒绝本店的请求。请告知店主，原因见日志。',
      questionTooLong: '问题太长，超出模型的处理范围，请缩短。',
      promptTooLong: '问题和相关段落合起来太长，超出模型的处理范围。请缩短问题，或告知店主。',
      unreachable: '暂时无法连接模型，请过一会儿再试。',
      late: '模型未能及时回答。请再问一次，或问得更具体些。',
      busy: '模型正在回答的问题已达上限，请稍后再问。',
      otherProtocol: '无法使用模型的回答：模型服务器与本店的协议不同。请告知店主。',
      noJson: '无法读取模型的回答，请再问一次。',
      noEnd: '无法读取模型的回答。',
      reasoning: '模型把回答和推理过程混在了一起，请再问一次。',
      promptCut: '模型没有读到全部内容，回答不可信。请告知店主。',
    },
  },
};
