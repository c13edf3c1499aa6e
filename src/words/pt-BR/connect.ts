import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';

const f = formatsIn('pt-BR');

const address = (isLink: boolean): string => (isLink ? 'O link' : 'O endereço');

const FREE = 'Também funciona sem a chave, mas só para os títulos gratuitos.';

type Server = { isLink: boolean; hasKey: boolean };

const serverKept =
  (where: string) =>
  ({ isLink, hasKey }: Server): string =>
    hasKey
      ? `${address(isLink)}, mas não a chave, fica guardado ${where}. ${FREE}`
      : `${address(isLink)} fica guardado ${where}.`;

export const steps: Words['shop']['steps'] = {
  mcp: 'Permite que o agente pesquise, leia e faça perguntas nesta loja, via MCP.',
  mcpFree:
    'Permite que o agente pesquise e leia nesta loja, via MCP; para fazer perguntas, ele precisa da sua chave.',
  mcpKey: 'Permite que o agente pesquise, leia e faça perguntas nesta loja, via MCP, com a sua chave.',
  serverKept: {
    claude: serverKept('em ~/.claude.json'),
    codex: serverKept('em ~/.codex/config.toml'),
    cursor: serverKept('nesse arquivo'),
    gemini: serverKept('em ~/.gemini/settings.json (para as pastas em que você confia)'),
    opencode: serverKept('em ~/.config/opencode/opencode.jsonc; para desfazer, remova-o de lá'),
    vscode: ({ isLink, hasKey }) =>
      hasKey
        ? `Nesse arquivo fica só ${isLink ? 'o link' : 'o endereço'}. O VS Code pede a chave e a guarda no próprio armazenamento de segredos. ${FREE}`
        : `${address(isLink)} fica guardado nesse arquivo.`,
  },
  vscodeFile: 'mcp.json (abra com “MCP: Open User Configuration”)',
  skills: ({ isLink }) =>
    isLink ? 'Instala tudo o que o link abre, sem git.' : 'Instala as skills gratuitas, sem chave.',
  skillsKept: ({ isLink }) =>
    `${address(isLink)} fica guardado no skills-lock.json do projeto, de onde “npx skills update” o lê. Os programas de uma skill perdem a permissão de execução; com git, não.`,
  openCode: ({ isLink }) => (isLink ? 'Adiciona tudo o que o link abre.' : 'Adiciona as skills gratuitas.'),
  openCodeKept: ({ isLink }) => `${address(isLink)} fica guardado nesse arquivo.`,
  install: 'Instala um título e verifica cada arquivo.',
  installWithKey: ({ variable }) =>
    `Instala um título e verifica cada arquivo. Para um título pago, é preciso ter a sua chave na variável ${variable}.`,
  noKeyKept: 'Nenhuma chave fica guardada.',
  shelf: {
    free: 'Adiciona os títulos gratuitos como um marketplace de plugins.',
    own: 'Adiciona tudo a que você tem acesso como um marketplace de plugins.',
    link: 'Adiciona tudo o que o link abre como um marketplace de plugins.',
  },
  shelfKept: ({ isLink, files }) =>
    isLink
      ? `O link fica guardado em ${f.list(files)}.`
      : `O endereço, mas não a chave, fica guardado em ${f.list(files)}.`,
  plugin: 'Instala um título do marketplace.',
  newEdition: ({ commands: [first = '', second] }) =>
    second === undefined
      ? `Para receber uma nova edição, use “${first}” e depois esta linha outra vez.`
      : `Para receber uma nova edição, use “${first}” e depois “${second}”.`,
  ended: ({ isLink }) =>
    isLink
      ? 'Se mais tarde aparecer “not found in marketplace”, o link não abre mais o título.'
      : 'Se mais tarde aparecer “not found in marketplace”, o seu acesso ao título terminou.',
  clone: 'Clona um título.',
  cloneKept: 'O link fica guardado no .git/config do clone.',
  login: 'Conecta você e guarda uma chave em um arquivo que só você pode ler.',
  git: 'Faz com que o git, e tudo o que usa o git, busque a chave nesse arquivo, e só para esta loja.',
  gitKept: 'A configuração do git tem o nome do programa, mas nenhuma chave.',
  signature:
    'Verifica o texto assinado e o mostra se a assinatura for válida. “allowed_signers” precisa ter o NOME e a chave que a editora informou a você, e não os que esta loja informa; slug e digest precisam ser os dos seus arquivos. Um programa que não foi baixado desta loja faz o mesmo a cada instalação e atualização; um baixado daqui é tão confiável quanto a loja naquele dia. O git, os marketplaces e os outros programas não verificam.',
  linkWarning:
    'Quem tiver este link poderá baixar estes títulos como se fosse você. O link fica gravado em arquivos de lock e de configuração: não faça commit deles.',
};
