import type { Words } from '../words.ts';

const address = (isLink: boolean): string => (isLink ? 'リンク' : 'アドレス');

type Server = { isLink: boolean; hasKey: boolean };

const WITHOUT_HEADER = '無料の作品だけなら、ヘッダーがなくても使えます。';

const serverKept =
  (where: string, undo = '') =>
  ({ isLink, hasKey }: Server): string =>
    hasKey
      ? `APIキーは、上にある変数（名前がBOOKSTALL_KEY_で始まるもの）に設定しておいてください。${address(isLink)}と変数名は${where}に保存されますが、キーは保存されません。${undo}${WITHOUT_HEADER}`
      : `${address(isLink)}は${where}に保存されます。${undo}`;

export const steps: Words['shop']['steps'] = {
  mcp: 'MCPで、このショップの検索、閲覧、質問ができるようになります。',
  mcpFree: 'MCPで、このショップの検索、閲覧、質問ができるようになります。質問にはAPIキーが必要です。',
  mcpKey: 'APIキーを使い、MCPで、このショップの検索、閲覧、質問ができるようになります。',
  serverKept: {
    claude: serverKept('~/.claude.json'),
    codex: serverKept('~/.codex/config.toml'),
    cursor: serverKept('このファイル'),
    gemini: serverKept('~/.gemini/settings.json（信頼するフォルダで有効）'),
    opencode: serverKept(
      '~/.config/opencode/opencode.jsonc',
      '元に戻すには、このファイルから削除してください。',
    ),
    vscode: ({ isLink, hasKey }) =>
      hasKey
        ? `${address(isLink)}はこのファイルに保存されます。APIキーは、VS Codeが入力を求め、自身のシークレットストレージに保存します。${WITHOUT_HEADER}`
        : `${address(isLink)}はこのファイルに保存されます。`,
  },
  vscodeFile: 'mcp.json（「MCP: Open User Configuration」で開きます）',
  skills: ({ isLink }) =>
    isLink
      ? 'リンクで使えるものをすべて、gitなしでインストールします。'
      : '無料のスキルを、キーなしでインストールします。',
  skillsKept: ({ isLink }) =>
    `${address(isLink)}はプロジェクトのskills-lock.jsonに保存され、「npx skills update」で使われます。スキルに含まれるプログラムの実行権限は失われます（gitなら残ります）。`,
  openCode: ({ isLink }) =>
    isLink ? 'リンクで使えるものをすべて追加します。' : '無料のスキルを追加します。',
  openCodeKept: ({ isLink }) => `${address(isLink)}はこのファイルに保存されます。`,
  install: '各ファイルを検証しながら、作品を1点インストールします。',
  installWithKey: ({ variable }) =>
    `各ファイルを検証しながら、作品を1点インストールします。有料の作品の場合は、変数${variable}にAPIキーを設定しておく必要があります。`,
  noKeyKept: 'キーは保存されません。',
  shelf: {
    free: '無料の作品を、プラグインのマーケットプレイスとして追加します。',
    own: '利用できる作品をすべて、プラグインのマーケットプレイスとして追加します。',
    link: 'リンクで使える作品をすべて、プラグインのマーケットプレイスとして追加します。',
  },
  shelfKept: ({ isLink, files }) =>
    isLink
      ? `リンクは${files.join('と')}に保存されます。`
      : `アドレスは${files.join('と')}に保存されますが、キーは保存されません。`,
  plugin: 'そのマーケットプレイスから作品を1点インストールします。',
  newEdition: ({ commands: [first = '', second] }) =>
    second === undefined
      ? `新しい版を入れるには、「${first}」のあと、この行をもう一度実行します。`
      : `新しい版を入れるには、「${first}」のあと、「${second}」を実行します。`,
  ended: ({ isLink }) =>
    isLink
      ? '後で「not found in marketplace」と表示された場合、その作品はこのリンクでは使えなくなっています。'
      : '後で「not found in marketplace」と表示された場合、その作品の利用権限はなくなっています。',
  clone: '作品を1点クローンします。',
  cloneKept: 'リンクはクローンの.git/configに保存されます。',
  login: 'サインインし、キーをご本人だけが読めるファイルに保存します。',
  git: 'gitと、gitを呼び出すプログラムが、そのファイルからキーを読み取れるようにします（このショップに限ります）。',
  gitKept: 'gitの設定に書かれるのはプログラムの名前だけで、キーは書かれません。',
  signature:
    '署名された本文を検証し、正しければ表示します。「allowed_signers」には、このショップではなく発行元から直接聞いたNAMEと鍵を書いてください。slugとdigestは、お手元のファイルのものと一致しなければなりません。このショップ以外から入手したクライアントは、インストールと更新のたびに同じ検証を行います。このショップから入手したクライアントの信頼性は、入手した日のこのショップの信頼性と同じです。git、マーケットプレイス、その他のクライアントは検証しません。',
  linkWarning:
    'このリンクを知っている人は誰でも、お客様本人として、これらの作品を入手できます。リンクはロックファイルや設定に残るため、リポジトリにコミットしないでください。',
};
