import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';

const f = formatsIn('de-DE');

const address = (isLink: boolean): string => (isLink ? 'Der Link' : 'Die Adresse');

type Server = { isLink: boolean; hasKey: boolean };

const serverKept =
  (where: string) =>
  ({ isLink, hasKey }: Server): string =>
    hasKey
      ? `${address(isLink)} steht danach ${where}, der Schlüssel selbst nicht. Ohne Schlüssel geht es auch, dann nur für Kostenloses.`
      : `${address(isLink)} steht danach ${where}.`;

export const steps: Words['shop']['steps'] = {
  mcp: 'Damit kann Ihr Agent hier über MCP suchen, lesen und fragen.',
  mcpFree: 'Damit kann Ihr Agent hier über MCP suchen und lesen; zum Fragen braucht er Ihren Schlüssel.',
  mcpKey: 'Damit kann Ihr Agent hier über MCP suchen, lesen und fragen, mit Ihrem Schlüssel.',
  serverKept: {
    claude: serverKept('in ~/.claude.json'),
    codex: serverKept('in ~/.codex/config.toml'),
    cursor: serverKept('in dieser Datei'),
    gemini: serverKept('in ~/.gemini/settings.json, für Ordner, denen Sie vertrauen'),
    opencode: serverKept('in ~/.config/opencode/opencode.jsonc (dort auch wieder zu entfernen)'),
    vscode: ({ isLink, hasKey }) =>
      hasKey
        ? `${address(isLink)} steht danach in dieser Datei. VS Code fragt nach dem Schlüssel und verwahrt ihn in seinem Geheimspeicher. Ohne Schlüssel geht es auch, dann nur für Kostenloses.`
        : `${address(isLink)} steht danach in dieser Datei.`,
  },
  vscodeFile: 'mcp.json (öffnet sich mit „MCP: Open User Configuration“)',
  skills: ({ isLink }) =>
    isLink
      ? 'Installiert alles, was der Link öffnet, ohne git.'
      : 'Installiert die kostenlosen Skills, ohne Schlüssel.',
  skillsKept: ({ isLink }) =>
    `${address(isLink)} steht danach in der Datei skills-lock.json des Projekts; „npx skills update“ liest sie dort. Skripte eines Skills müssen Sie danach selbst ausführbar machen; mit git bleiben sie es.`,
  openCode: ({ isLink }) =>
    isLink ? 'Fügt alles hinzu, was der Link öffnet.' : 'Fügt die kostenlosen Skills hinzu.',
  openCodeKept: ({ isLink }) => `${address(isLink)} steht danach in dieser Datei.`,
  install: 'Installiert einen Titel und prüft dabei jede Datei.',
  installWithKey: ({ variable }) =>
    `Installiert einen Titel und prüft dabei jede Datei. Für gekaufte brauchen Sie Ihren Schlüssel in der Variablen ${variable}.`,
  noKeyKept: 'Es wird kein Schlüssel gespeichert.',
  shelf: {
    free: 'Fügt alles Kostenlose als Marktplatz für Plugins hinzu.',
    own: 'Fügt alles, worauf Sie Zugriff haben, als Marktplatz für Plugins hinzu.',
    link: 'Fügt alles, was der Link öffnet, als Marktplatz für Plugins hinzu.',
  },
  shelfKept: ({ isLink, files }) =>
    isLink
      ? `Der Link steht danach in ${f.list(files)}.`
      : `Die Adresse steht danach in ${f.list(files)}, der Schlüssel nicht.`,
  plugin: 'Installiert daraus einen Titel.',
  newEdition: ({ commands: [first = '', second] }) =>
    second === undefined
      ? `Eine neue Ausgabe kommt mit „${first}“ und danach noch einmal dieser Zeile.`
      : `Eine neue Ausgabe kommt mit „${first}“ und danach „${second}“.`,
  ended: ({ isLink }) =>
    isLink
      ? 'Heißt es später „not found in marketplace“, öffnet der Link den Titel nicht mehr.'
      : 'Heißt es später „not found in marketplace“, gehört der Titel nicht mehr zu Ihrer Bibliothek.',
  clone: 'Klont einen Titel.',
  cloneKept: 'Der Link steht danach in .git/config des Klons.',
  login: 'Meldet Sie an und speichert einen Schlüssel in einer Datei, die nur Sie lesen können.',
  git: 'git und alles, was git startet, holt den Schlüssel dann aus dieser Datei, und nur für diese Adresse.',
  gitKept: 'In der Konfiguration von git steht der Name des Programms, aber kein Schlüssel.',
  signature:
    'Prüft den signierten Text und zeigt ihn, wenn die Signatur stimmt. In „allowed_signers“ stehen NAME und Schlüssel des Verlags, so wie er selbst sie Ihnen genannt hat, nicht diese Seite; slug und digest müssen die Ihrer Dateien sein. Ein Programm, das nicht von hier stammt, prüft dasselbe bei jeder Installation und Aktualisierung; eines von hier ist nur so vertrauenswürdig wie diese Seite an jenem Tag. Git, Marktplätze und andere Programme prüfen nicht.',
  linkWarning:
    'Wer diesen Link hat, lädt diese Titel in Ihrem Namen. Er steht danach in Dateien Ihres Projekts: Veröffentlichen Sie diese nicht, auch nicht mit git.',
};
