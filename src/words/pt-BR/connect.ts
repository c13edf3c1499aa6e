import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';

const f = formatsIn('pt-BR');

const address = (isLink: boolean): string => (isLink ? 'O link' : 'O endereço');

type Server = { isLink: boolean; hasKey: boolean };

const serverKept =
  (where: string) =>
  ({ isLink, hasKey }: Server): string =>
    hasKey
      ? `${address(isLink)} fica guardado ${where}; a chave, não. Sem o cabeçalho com a chave também funciona, mas só para os itens grátis.`
      : `${address(isLink)} fica guardado ${where}.`;

export const steps: Words['shop']['steps'] = {
  mcp: 'Permite que o agente busque, leia e pergunte aqui, via MCP.',
  mcpFree: 'Permite que o agente busque e leia aqui, via MCP; para perguntar, ele precisa da sua chave.',
  mcpKey: ({ variable }) =>
    `Permite que o agente busque, leia e pergunte aqui, via MCP, com a sua chave na variável ${variable}.`,
  serverKept: {
    claude: serverKept('em ~/.claude.json'),
    codex: serverKept('em ~/.codex/config.toml'),
    cursor: serverKept('nesse arquivo'),
    gemini: serverKept('em ~/.gemini/settings.json (para as pastas em que você confia)'),
    opencode: serverKept('em ~/.config/opencode/opencode.jsonc (é lá que você o remove)'),
    vscode: serverKept('nesse arquivo (o VS Code guarda as chaves em um armazenamento de segredos próprio)'),
  },
  vscodeFile: 'mcp.json (abra com “MCP: Open User Configuration”)',
  skills: ({ isLink }) =>
    isLink ? 'Instala tudo o que o link abre, sem git.' : 'Instala as skills grátis, sem chave.',
  skillsKept: ({ isLink }) =>
    `${address(isLink)} fica guardado no skills-lock.json do projeto, de onde “npx skills update” o lê. Os programas de uma skill perdem a permissão de execução; com git, não.`,
  openCode: ({ isLink }) => (isLink ? 'Adiciona tudo o que o link abre.' : 'Adiciona as skills grátis.'),
  openCodeKept: ({ isLink }) => `${address(isLink)} fica guardado nesse arquivo.`,
  install: 'Instala um item e verifica cada arquivo.',
  installWithKey: ({ variable }) =>
    `Instala um item e verifica cada arquivo. Para um item pago, é preciso ter a sua chave na variável ${variable}.`,
  noKeyKept: 'Nenhuma chave fica guardada.',
  shelf: {
    free: 'Adiciona os itens grátis como um marketplace de plugins.',
    own: 'Adiciona tudo a que você tem acesso como um marketplace de plugins.',
    link: 'Adiciona tudo o que o link abre como um marketplace de plugins.',
  },
  shelfKept: ({ isLink, files }) =>
    isLink
      ? `O link fica guardado em ${f.list(files)}.`
      : `O endereço fica guardado em ${f.list(files)}; a chave, não.`,
  plugin: 'Instala um item do marketplace.',
  newEdition: ({ commands: [first = '', second] }) =>
    second === undefined
      ? `Para receber uma nova edição, use “${first}” e depois esta linha outra vez.`
      : `Para receber uma nova edição, use “${first}” e depois “${second}”.`,
  ended: ({ isLink }) =>
    isLink
      ? 'Se mais tarde aparecer “not found in marketplace”, o link não abre mais o item.'
      : 'Se mais tarde aparecer “not found in marketplace”, o seu acesso ao item terminou.',
  clone: 'Clona um item.',
  cloneKept: 'O link fica guardado no .git/config do clone.',
  login: 'Pede a sua chave e a guarda em um arquivo que só você pode ler.',
  git: 'Faz com que o git, e tudo o que usa o git, busque a chave nesse arquivo, e só para esta loja.',
  gitKept: 'A configuração do git tem o nome do programa, mas nenhuma chave.',
  signature:
    'Verifica o texto assinado e o mostra se a assinatura for válida. “allowed_signers” precisa ter o NOME e a chave que quem publica informou a você, e não os que esta loja informa; slug e digest precisam ser os dos seus arquivos. Um programa que não foi baixado desta loja faz o mesmo a cada instalação e atualização; um baixado daqui é tão confiável quanto a loja naquele dia. O git, os marketplaces e os outros programas não verificam.',
  linkWarning:
    'Quem tiver este link baixa estes itens em seu nome. Ele vai parar em arquivos de lock e de configuração: não faça commit dele.',
};
