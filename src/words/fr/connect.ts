import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';

const f = formatsIn('fr-FR');

const kept = (isLink: boolean): string => (isLink ? 'Le lien est enregistré' : 'L’adresse est enregistrée');

const FREE = 'Cela fonctionne aussi sans clé, mais seulement pour les titres gratuits.';

type Server = { isLink: boolean; hasKey: boolean };

const serverKept =
  (where: string) =>
  ({ isLink, hasKey }: Server): string =>
    hasKey
      ? `${kept(isLink)} ${where}, avec le nom de la variable mais sans la clé. ${FREE}`
      : `${kept(isLink)} ${where}.`;

export const steps: Words['shop']['steps'] = {
  mcp: 'Permet à votre agent de chercher, de lire et de poser des questions ici, par MCP.',
  mcpFree:
    'Permet à votre agent de chercher et de lire ici, par MCP ; pour poser des questions, il lui faut votre clé.',
  mcpKey: 'Permet à votre agent de chercher, de lire et de poser des questions ici, par MCP, avec votre clé.',
  serverKept: {
    claude: serverKept('dans ~/.claude.json'),
    codex: serverKept('dans ~/.codex/config.toml'),
    cursor: serverKept('dans ce fichier'),
    gemini: serverKept('dans ~/.gemini/settings.json, pour les dossiers auxquels vous faites confiance'),
    opencode: ({ isLink, hasKey }) =>
      hasKey
        ? `L’adresse et le nom de la variable sont enregistrés dans ~/.config/opencode/opencode.jsonc, mais pas la clé ; c’est aussi là que vous pouvez les supprimer. ${FREE}`
        : `${kept(isLink)} dans ~/.config/opencode/opencode.jsonc ; c’est aussi là que vous pouvez ${isLink ? 'le' : 'la'} supprimer.`,
    vscode: ({ isLink, hasKey }) =>
      hasKey
        ? `${kept(isLink)} dans ce fichier, mais pas la clé : VS Code vous la demande et la garde dans son coffre. ${FREE}`
        : `${kept(isLink)} dans ce fichier.`,
  },
  vscodeFile: 'mcp.json (s’ouvre avec « MCP: Open User Configuration »)',
  skills: ({ isLink }) =>
    isLink ? 'Installe tout ce que le lien ouvre, sans git.' : 'Installe les skills gratuits, sans clé.',
  skillsKept: ({ isLink }) =>
    `${kept(isLink)} dans le fichier skills-lock.json du projet ; « npx skills update » s’en sert. Les scripts d’un skill perdent alors leur droit d’exécution ; avec git, ils le conservent.`,
  openCode: ({ isLink }) => (isLink ? 'Ajoute tout ce que le lien ouvre.' : 'Ajoute les skills gratuits.'),
  openCodeKept: ({ isLink }) => `${kept(isLink)} dans ce fichier.`,
  install: 'Installe un titre en vérifiant chaque fichier.',
  installWithKey: ({ variable }) =>
    `Installe un titre en vérifiant chaque fichier. S’il est payant, il faut votre clé dans la variable ${variable}.`,
  noKeyKept: 'Aucune clé n’est enregistrée.',
  shelf: {
    free: 'Ajoute les titres gratuits comme marketplace de plugins.',
    own: 'Ajoute tout ce à quoi vous avez accès comme marketplace de plugins.',
    link: 'Ajoute tout ce que le lien ouvre comme marketplace de plugins.',
  },
  shelfKept: ({ isLink, files }) =>
    isLink
      ? `Le lien est enregistré dans ${f.list(files)}.`
      : `L’adresse est enregistrée dans ${f.list(files)}, sans la clé.`,
  plugin: 'Installe un de ces titres.',
  newEdition: ({ commands: [first = '', second] }) =>
    second === undefined
      ? `Pour obtenir une nouvelle édition, lancez « ${first} », puis de nouveau cette ligne.`
      : `Pour obtenir une nouvelle édition, lancez « ${first} », puis « ${second} ».`,
  ended: ({ isLink }) =>
    isLink
      ? 'Si « not found in marketplace » s’affiche un jour, le lien n’ouvre plus ce titre.'
      : 'Si « not found in marketplace » s’affiche un jour, vous n’avez plus accès à ce titre.',
  clone: 'Clone un titre.',
  cloneKept: 'Le lien est enregistré dans le fichier .git/config du clone.',
  login: 'Vous connecte et enregistre une clé dans un fichier que personne d’autre ne peut lire.',
  git: 'Ensuite, git et les programmes qui l’utilisent lisent la clé dans ce fichier, pour cette boutique seulement.',
  gitKept: 'La configuration de git contient le nom du programme, mais aucune clé.',
  signature:
    'Vérifie le texte signé, et l’affiche si la signature est bonne. « allowed_signers » contient le NAME et la clé que l’éditeur lui-même, et non cette boutique, vous a donnés ; slug et digest doivent être ceux de vos fichiers. Un programme qui ne vient pas de cette boutique fait la même vérification à chaque installation et mise à jour ; un programme pris ici n’est fiable que si la boutique l’était ce jour-là. Git, les marketplaces et les autres programmes ne vérifient rien.',
  linkWarning:
    'Toute personne qui a ce lien peut télécharger ces titres en votre nom. Il est inscrit dans des fichiers de verrouillage (lock) et de configuration : ne les ajoutez pas à un dépôt partagé.',
};
