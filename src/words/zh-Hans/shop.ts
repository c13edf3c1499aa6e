import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';
import { steps } from './connect.ts';

const f = formatsIn('zh-Hans-CN');

type Count = { count: number };

const items = ({ count }: Count): string => `${f.number(count)} 件作品`;
const files = ({ count }: Count): string => `${f.number(count)} 个文件`;
const chapters = ({ count }: Count): string => `${f.number(count)} 章`;

const home: Words['shop']['home'] = {
  description: ({ stall }) => `${stall}：图书与 Skill`,
  search: '搜索',
  searchButton: '搜索',
  placeholder: ({ count }) => `搜索 ${items({ count })}及其正文`,
  filters: '筛选',
  kind: '类型',
  anyKind: '图书和 Skill',
  kinds: { book: '图书', skill: 'Skill' },
  price: '价格',
  anyPrice: '全部价格',
  prices: { free: '免费', paid: '付费' },
  tag: '标签',
  anyTag: '全部标签',
  language: '语言',
  anyLanguage: '全部语言',
  order: '排序',
  orders: { title: '按标题', newest: '最新' },
  items,
  found: ({ count }) => `找到 ${items({ count })}`,
  showAll: '显示全部',
  bundles: ({ count }) => `${f.number(count)} 个套装`,
  noMatch: '没有找到相符的作品。请减少或更换关键词。',
  before: '上一页',
  after: '下一页',
  look: '查看',
  shelves: { featured: '推荐', books: '图书', bundles: '套装', skills: 'Skill' },
  emptyForOwner: '店里还没有作品。请在后台添加书或技能；还有哪些事要做，那里会一一列出。',
  openOffice: '打开后台',
  empty: '还没有图书或 Skill。订阅后，第一件作品上架时您就会知道。',
  followFeed: '订阅更新',
  termsAt: ({ address }) => ['本店的服务条款见 ', address, '。'],
  privacyAt: ({ address }) => ['本店的隐私政策见 ', address, '。'],
  imprintAt: ({ address }) => ['本店的经营者信息见 ', address, '。'],
  contact: ({ stall, contact }) => [`联系“${stall}”：`, contact, '。'],
};

const search: Words['shop']['search'] = {
  title: '搜索',
  titleFor: ({ words }) => `搜索：${words}`,
  nothing: ({ words }) => `没有找到与“${words}”相符的内容。不妨换个正文中可能出现的词。`,
  titles: '作品',
  all: ({ count }) => `全部 ${items({ count })}`,
  texts: '正文',
  samplesOnly: (signIn) => ['付费图书只搜索了试读部分。', signIn('登录'), '后可搜索您拥有的全部内容。'],
};

const item: Words['shop']['item'] = {
  draft: '这是草稿，只有店主本人能看到。',
  private: '不公开：只有获得授权的人能看到这件作品。',
  archived: '这件作品已停售。已拥有的读者仍可获取。',
  praise: '推荐语',
  about: () => '关于作者',
  moreBy: () => '同一作者的其他作品',
  fromSkill: '给智能体的指令',
  fromBook: '正文选读',
  readOn: '继续阅读',
  side: '获取方式',
  yoursSince: ({ when }) => ['已拥有，获得于 ', when],
  inBrowser: '在线阅读',
  forAgent: '供智能体使用',
  chapters,
  chaptersAndTime: ({ count, time }) => `${chapters({ count })}，阅读时长 ${time}`,
  files,
  edition: ({ version }) => `版本 ${version}`,
  editionOf: ({ when }) => ['版本日期：', when],
  editionAndDay: ({ version, when }) => [`版本 ${version}，`, when],
  needs: ({ items }) => ['需要 ', items, '，“bookstall install” 会一并安装'],
  signed: ({ signer, when }) => ['由 ', signer, ' 签名，自 ', when, ' 起的所有版本均如此'],
  signature: '签名',
  signedNow: ({ signer }) => ['由 ', signer, ' 签名，自今天起'],
  bought: ({ find, redeem }) => ['已经购买？', find('找回订单'), '或', redeem('使用兑换码'), '。'],
  boughtUnproven: ({ email, account, redeem }) => [
    '曾用 ',
    email,
    ' 购买或获赠？请先在',
    account('账号页面'),
    '验证此邮箱，之后即可阅读。或',
    redeem('使用兑换码'),
    '。',
  ],
  boughtOrSignIn: ({ signIn, find, redeem }) => [
    '已经购买？',
    signIn('登录'),
    '、',
    find('找回订单'),
    '或',
    redeem('使用兑换码'),
    '。',
  ],
  getFree: '免费获取',
  read: '阅读',
  readSample: '试读',
  print: '打印',
  ask: '提问',
  facts: '详细信息',
  publisher: '出版方',
  version: '版本',
  language: '语言',
  licence: '许可协议',
  formats: '格式',
  tags: '标签',
  contents: '目录',
  moreChapters: ({ count }) => `其余 ${f.number(count)} 章`,
  chaptersBefore: '前面各章',
  chaptersAfter: ({ last, count }) => `第 ${f.number(last)} 章之后（共 ${f.number(count)} 章）`,
};

const kind =
  (name: string) =>
  ({ count }: Count): string =>
    `${f.number(count)} ${name}`;

const inside: Words['shop']['inside'] = {
  title: '包含内容',
  none: '无',
  files: '文件',
  summary: ({ count, size, kinds }) => `${files({ count })}，${size}：${kinds}`,
  kinds: {
    markdown: kind('个 Markdown 文件'),
    script: kind('个脚本'),
    program: kind('个程序'),
    image: kind('张图片'),
    document: kind('个文档'),
    archive: kind('个压缩包'),
    text: kind('个其他文本'),
    other: kind('个其他文件'),
  },
  scripts: '脚本',
  facts: {
    executable: '标记为可执行',
    program: '二进制程序',
    host: '网址中的主机',
    tool: '允许使用的工具',
    hidden: '隐藏字符',
  },
};

const agents: Words['shop']['agents'] = {
  summary: '在智能体和命令行中使用',
  bookId: ({ id }) => ['本书的 ID 是 ', id, '。'],
  name: ({ name }) => ['此 Skill 的名称是 ', name, '。'],
  keyNeeded: ({ key, yours }) => [
    '含 ',
    key,
    ' 的命令需要 API 密钥，其账号须有权使用这件作品。请把',
    yours('您的密钥'),
    '存入这个环境变量。',
  ],
  noKey: '无需密钥。',
  archive: '下载全部文件（tar.gz）',
  worksWith: ({ clients }) => `适用于：${clients}`,
  worksWithFindings: '适用于：见检查结果',
  findingsOf: ({ client }) => `${client}：见检查结果`,
  clients: {
    'claude-code': 'Claude Code',
    'claude.ai': 'claude.ai',
    spec: 'Agent Skills',
    'well-known': 'skills 程序',
    mcp: '通过 MCP 使用的 Skill',
  },
  findings: {
    'front-matter-form': () => 'SKILL.md 开头有一项的写法不符合规范。',
    'unknown-front-matter-key': () => 'SKILL.md 开头有一项是规范中没有的。',
    'claude-code-key': () => 'SKILL.md 开头有一项只有 Claude Code 能识别。',
    'upload-key': () => '上传时，claude.ai 不接受 SKILL.md 开头的某一项。',
    'upload-name': () => '上传时，claude.ai 不接受此 Skill 的名称。',
    'upload-tag': () => '上传时，claude.ai 不接受名称和描述中的 XML 标签。',
    'listing-cut': () => 'Claude Code 只显示描述的开头部分。',
    'skill-name-form': () => '名称中有些字符并非所有智能体都接受。',
    'skill-too-long': () => 'SKILL.md 的行数超过规范的建议值。',
    'skill-many-tokens': () => 'SKILL.md 的长度超过规范的建议值。',
    'deep-reference': () => '有文件引用了 SKILL.md 未提及的其他文件。',
    'skill-many-files': () => '此 Skill 的文件数超过上限。',
    'skill-many-bytes': () => '此 Skill 的大小超过上限。',
    'skill-large-archive': () => '此 Skill 的压缩包大小超过该程序的上限。',
    'skill-archive-name': () => '压缩包中有该程序无法读取的文件名。',
  },
  fileTable: ({ count, size }) => `${files({ count })}，共 ${size}`,
  path: '路径',
  size: '大小',
  bytesOf: ({ path, size }) => `${path} 的内容，${size}`,
  noFiles: '还没有文件。',
  filesBefore: '前面的文件',
  filesAfter: '后面的文件',
  digest: ({ digest }) => ['全部文件的校验值：', digest],
  installSkill:
    '逐个校验文件，再把 Skill 安装到 Claude Code 读取的位置。也可换成其他智能体的名称；不写则安装到当前目录。',
  installBook: '逐个校验文件，再把整个文件夹安装到当前目录。',
  unpack: ({ folder }) => `把文件夹 ${folder} 解压到当前目录。`,
  save: ({ file }) => `保存为 ${file}，可上传给网页版智能体。`,
  signature: '签名',
  ask: '提问',
  askFor: '这本书讲的是什么？',
  askDoes: '依据本书内容回答，并附出处。',
};

const news: Words['shop']['news'] = {
  title: '更新内容',
  version: ({ version }) => `版本 ${version}`,
  first: '首个版本。',
  all: ({ count }) => `全部 ${f.number(count)} 个版本`,
  table: '各版本，最新的在前',
  columns: { edition: '版本', day: '日期', files: '文件', state: '状态' },
  states: {
    served: '当前版本',
    kept: '可安装',
    gone: '不再保留',
    withdrawn: '已撤回',
  },
  added: '新增',
  changed: '修改',
  removed: '删除',
  more: ({ count }) => `另有 ${f.number(count)} 个。`,
  changes: ({ added, changed, removed }) => {
    const all = [
      { count: added, verb: '新增' },
      { count: changed, verb: '修改' },
      { count: removed, verb: '删除' },
    ].filter(({ count }) => count > 0);
    const said = all.map(({ count, verb }, n) => `${verb} ${f.number(count)} 个${n === 0 ? '文件' : ''}`);
    return said.join('，') || '没有文件改动';
  },
};

const bundle: Words['shop']['bundle'] = {
  parts: '套装内容',
  held: '您已拥有',
  alone: ({ price }) => `单独购买：${price}`,
  together: ({ count }) => `共 ${items({ count })}`,
  alsoIn: ({ bundle, count, price, whole }) => [
    '也收录于套装“',
    bundle,
    `”，另含 ${items({ count })}：${price}，单独购买共 ${whole}`,
  ],
  saved: ({ price, saved }) => `单独购买共 ${price}，套装立省 ${saved}`,
  some: ({ count }) => `其中 ${items({ count })}您已拥有。`,
  all: '其中的作品您已全部拥有。',
};

const buy: Words['shop']['buy'] = {
  button: ({ price }) => `${price} 购买`,
  buttonFrom: ({ price }) => `自由定价，${price}`,
  noPrice: '尚未定价。',
  notYet: '此处尚未发售。',
  askPublisher: ({ publisher }) => `请向出版方“${publisher}”咨询购买方式。`,
  write: ({ contact }) => ['如需购买，请联系 ', contact, '。'],
  demo: '演示：付款只是模拟。付款后会回到这里，立即可读。',
  payAt: ({ provider }) => `您将在 ${provider} 付款，之后回到这里，立即可读。`,
  payAhead: ({ provider }) => `您将在 ${provider} 付款。发布后即可在书架上阅读。`,
  payForKey: ({ provider }) => `您将在 ${provider} 付款。对方的邮件中有许可证密钥，在这里输入后立即可读。`,
  payAheadForKey: ({ provider }) =>
    `您将在 ${provider} 付款。对方的邮件中有许可证密钥，在这里输入后，发布时即可阅读。`,
  news: '有新版本时，我们可能发邮件告诉您；点一下邮件中的链接即可退订。',
};

const connect: Words['shop']['connect'] = {
  title: '接入您的智能体',
  description: '复制粘贴几行命令，智能体就能找到本店的图书和 Skill。',
  lead: '选择您的智能体，复制粘贴对应的命令或配置即可。免费作品无需密钥，只有提问才需要。',
  owned: '接入已有作品',
  link: '智能体专用链接',
  linkEmpty: '此链接目前没有可用内容：对应的账号没有可供它使用的作品。',
  linkTakes: '无法发送密钥的智能体可通过此链接获取以下作品。',
  linkReads: '无法发送密钥的智能体可通过此链接获取并阅读以下作品。',
  linkServer: 'claude.ai 等通过链接连接 MCP 服务器的程序，请用这个地址：',
  recommended: '推荐',
  otherWays: '其他方式',
  keyFrom: ({ keys }) => ['密钥可在', keys, '中创建。'],
  putInto: ({ does, file }) => `${does}请写入 ${file}：`,
  undo: ({ line }) => ['如需撤销：', line],
};

const accessibility: Words['shop']['accessibility'] = {
  title: '无障碍',
  ways: '阅读方式',
  adjustable: '外观可以调整',
  readable: '可朗读，也可用盲文点显器阅读',
  notFullyReadable: '部分内容无法朗读，也无法用盲文点显器阅读',
  described: '有替代文本',
  conformance: '符合标准情况',
  noInformation: '没有可用的信息',
  conforms: '本出版物符合公认的无障碍标准',
  certified: ({ name }) => `本出版物由${name}认证`,
  navigation: '导航',
  contents: '目录',
  headings: '标题',
  rich: '特殊内容',
  math: '数学公式采用 MathML',
  hazards: '危险',
  noHazards: '无危险',
  unknownHazards: '不清楚是否存在危险',
};

export const shop: Words['shop'] = {
  free: '免费',
  private: '不公开',
  noPrice: '尚未定价',
  from: ({ price }) => `${price} 起`,
  coming: ({ when }) => (when === null ? '即将发布' : `预计发布：${when}`),
  written: ({ percent }) => `已写完 ${f.number(percent)}%`,
  byline: ({ makers, publisher }) => [makers, '，出版方：', publisher],
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
