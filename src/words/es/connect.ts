import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';

const f = formatsIn('es-ES');

const address = (isLink: boolean): string => (isLink ? 'El enlace' : 'La dirección');

const FREE = 'También funciona sin clave, pero solo con los títulos gratuitos.';

type Server = { isLink: boolean; hasKey: boolean };

const serverKept =
  (where: string) =>
  ({ isLink, hasKey }: Server): string =>
    hasKey
      ? `${address(isLink)}, pero no la clave, se guarda ${where}. ${FREE}`
      : `${address(isLink)} se guarda ${where}.`;

export const steps: Words['shop']['steps'] = {
  mcp: 'Permite a su agente buscar, leer y preguntar aquí por MCP.',
  mcpFree: 'Permite a su agente buscar y leer aquí por MCP; para preguntar, necesita su clave.',
  mcpKey: 'Permite a su agente buscar, leer y preguntar aquí por MCP, con su clave.',
  serverKept: {
    claude: serverKept('en ~/.claude.json'),
    codex: serverKept('en ~/.codex/config.toml'),
    cursor: serverKept('en ese archivo'),
    gemini: serverKept('en ~/.gemini/settings.json, para las carpetas en las que usted confía'),
    opencode: (server) =>
      serverKept(
        `en ~/.config/opencode/opencode.jsonc; ahí mismo puede ${server.isLink ? 'quitarlo' : 'quitarla'}`,
      )(server),
    vscode: ({ isLink, hasKey }) =>
      hasKey
        ? `En ese archivo se guarda ${isLink ? 'el enlace' : 'la dirección'}, pero no la clave: VS Code se la pide y la guarda en su almacén de secretos. ${FREE}`
        : `${address(isLink)} se guarda en ese archivo.`,
  },
  vscodeFile: 'mcp.json, que se abre con «MCP: Open User Configuration»',
  skills: ({ isLink }) =>
    isLink ? 'Instala todo lo que abre el enlace, sin git.' : 'Instala las skills gratuitas, sin clave.',
  skillsKept: ({ isLink }) =>
    `${address(isLink)} se guarda en el archivo skills-lock.json del proyecto; «npx skills update» parte de ahí. Los programas de una skill pierden el permiso de ejecución; con git lo conservan.`,
  openCode: ({ isLink }) => (isLink ? 'Añade todo lo que abre el enlace.' : 'Añade las skills gratuitas.'),
  openCodeKept: ({ isLink }) => `${address(isLink)} se guarda en ese archivo.`,
  install: 'Instala un título y comprueba cada archivo.',
  installWithKey: ({ variable }) =>
    `Instala un título y comprueba cada archivo. Si es de pago, necesita su clave en la variable ${variable}.`,
  noKeyKept: 'No se guarda ninguna clave.',
  shelf: {
    free: 'Añade los títulos gratuitos como marketplace de plugins.',
    own: 'Añade todos los títulos a los que usted tiene acceso como marketplace de plugins.',
    link: 'Añade todo lo que abre el enlace como marketplace de plugins.',
  },
  shelfKept: ({ isLink, files }) =>
    isLink
      ? `El enlace se guarda en ${f.list(files)}.`
      : `La dirección, pero no la clave, se guarda en ${f.list(files)}.`,
  plugin: 'Instala un título de ese marketplace.',
  newEdition: ({ commands: [first = '', second] }) =>
    second === undefined
      ? `Para obtener una edición nueva, ejecute «${first}» y después otra vez esta línea.`
      : `Para obtener una edición nueva, ejecute «${first}» y después «${second}».`,
  ended: ({ isLink }) =>
    isLink
      ? 'Si más adelante aparece «not found in marketplace», el enlace ya no abre ese título.'
      : 'Si más adelante aparece «not found in marketplace», usted ya no tiene acceso a ese título.',
  clone: 'Clona un título.',
  cloneKept: 'El enlace se guarda en el archivo .git/config del clon.',
  login: 'Inicia su sesión y guarda una clave en un archivo que solo usted puede leer.',
  git: 'Así, git y los programas que lo usan leen la clave de ese archivo, y solo para esta tienda.',
  gitKept: 'La configuración de git contiene el nombre del programa, pero ninguna clave.',
  signature:
    'Comprueba el texto firmado y, si la firma es válida, lo muestra. «allowed_signers» contiene el NAME y la clave de la editorial, tal como se los comunicó ella misma y no esta tienda; slug y digest deben ser los de sus archivos. Un programa que no se obtuvo en esta tienda comprueba lo mismo en cada instalación y actualización; uno obtenido aquí es tan fiable como lo era la tienda ese día. Git, los marketplaces y otros programas no lo comprueban.',
  linkWarning:
    'Quien tenga este enlace podrá descargar estos títulos en nombre de usted. El enlace queda guardado en archivos de configuración y de bloqueo («lock»): no los suba a un repositorio.',
};
