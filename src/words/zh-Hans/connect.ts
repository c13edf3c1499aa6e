import type { Words } from '../words.ts';

const address = (isLink: boolean): string => (isLink ? '链接' : '地址');

type Server = { isLink: boolean; hasKey: boolean };

const WITHOUT_HEADER = '只用免费作品时，可以去掉其中的请求头。';

const serverKept =
  (where: string, undo = '') =>
  ({ isLink, hasKey }: Server): string =>
    hasKey
      ? `请先把密钥存入上面的环境变量（名称以 BOOKSTALL_KEY_ 开头）。${address(isLink)}和变量名会保存在${where}，密钥不会。${undo}${WITHOUT_HEADER}`
      : `${address(isLink)}会保存在${where}。${undo}`;

export const steps: Words['shop']['steps'] = {
  mcp: '让智能体通过 MCP 在本店搜索、阅读和提问。',
  mcpFree: '让智能体通过 MCP 在本店搜索、阅读和提问；提问需要您的密钥。',
  mcpKey: '让智能体凭您的密钥，通过 MCP 在本店搜索、阅读和提问。',
  serverKept: {
    claude: serverKept(' ~/.claude.json 中'),
    codex: serverKept(' ~/.codex/config.toml 中'),
    cursor: serverKept('该文件中'),
    gemini: serverKept(' ~/.gemini/settings.json 中（只在您信任的文件夹中生效）'),
    opencode: serverKept(' ~/.config/opencode/opencode.jsonc 中', '如需撤销，请在该文件中删除。'),
    vscode: ({ isLink, hasKey }) =>
      hasKey
        ? `${address(isLink)}会保存在该文件中。VS Code 会请您输入密钥，并保存在自己的机密存储中。${WITHOUT_HEADER}`
        : `${address(isLink)}会保存在该文件中。`,
  },
  vscodeFile: 'mcp.json（用“MCP: Open User Configuration”打开）',
  skills: ({ isLink }) =>
    isLink ? '安装此链接可获取的全部内容，无需 git。' : '安装免费的 Skill，无需密钥。',
  skillsKept: ({ isLink }) =>
    `${address(isLink)}会保存在项目的 skills-lock.json 中，“npx skills update”据此更新。Skill 中的程序会失去可执行权限；用 git 则会保留。`,
  openCode: ({ isLink }) => (isLink ? '添加此链接可获取的全部内容。' : '添加免费的 Skill。'),
  openCodeKept: ({ isLink }) => `${address(isLink)}会保存在该文件中。`,
  install: '安装一件作品，并逐个校验文件。',
  installWithKey: ({ variable }) =>
    `安装一件作品，并逐个校验文件。付费作品需要环境变量 ${variable} 中的密钥。`,
  noKeyKept: '不会保存密钥。',
  shelf: {
    free: '把免费作品添加为插件市场。',
    own: '把您可以使用的全部作品添加为插件市场。',
    link: '把此链接可获取的全部作品添加为插件市场。',
  },
  shelfKept: ({ isLink, files }) =>
    isLink ? `链接会保存在 ${files.join(' 和 ')} 中。` : `地址会保存在 ${files.join(' 和 ')} 中，密钥不会。`,
  plugin: '从该插件市场安装一件作品。',
  newEdition: ({ commands: [first = '', second] }) =>
    second === undefined
      ? `更新到新版本：先运行“${first}”，再运行一次这一行。`
      : `更新到新版本：先运行“${first}”，再运行“${second}”。`,
  ended: ({ isLink }) =>
    isLink
      ? '如果以后提示“not found in marketplace”，说明此链接已不能获取该作品。'
      : '如果以后提示“not found in marketplace”，说明您已无权使用该作品。',
  clone: '克隆一件作品。',
  cloneKept: '链接会保存在克隆目录的 .git/config 中。',
  login: '为您登录，并把密钥存入只有您能读取的文件。',
  git: '让 git 及调用 git 的程序从该文件读取密钥，仅用于本店。',
  gitKept: 'git 的配置中只有程序的名称，没有密钥。',
  signature:
    '校验签名文本，签名有效才会显示。“allowed_signers”中须有出版方的 NAME 和公钥，以出版方亲自告诉您的为准，而不是本店所说；slug 和 digest 必须与您的文件一致。不是从本店下载的客户端，每次安装和更新时都会做同样的校验；从本店下载的客户端，只与下载当天的本店一样可信。git、插件市场和其他客户端都不校验。',
  linkWarning: '任何拿到此链接的人都能以您的名义获取这些作品。链接会留在锁文件和设置中，请勿提交到代码仓库。',
};
