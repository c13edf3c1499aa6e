import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';
import { steps } from './connect.ts';

const f = formatsIn('fr-FR');

type Count = { count: number };

const items = ({ count }: Count): string =>
  f.plural(count, { one: `${f.number(count)} titre`, other: `${f.number(count)} titres` });
const files = ({ count }: Count): string =>
  f.plural(count, { one: `${f.number(count)} fichier`, other: `${f.number(count)} fichiers` });
const chapters = ({ count }: Count): string =>
  f.plural(count, { one: `${f.number(count)} chapitre`, other: `${f.number(count)} chapitres` });

const home: Words['shop']['home'] = {
  description: ({ stall }) => `Livres et skills de ${stall}`,
  search: 'Recherche',
  searchButton: 'Rechercher',
  placeholder: ({ count }) =>
    f.plural(count, {
      one: `${f.number(count)} titre et son texte`,
      other: `${f.number(count)} titres et leur texte`,
    }),
  filters: 'Filtres',
  kind: 'Type',
  anyKind: 'Livres et skills',
  kinds: { book: 'Livres', skill: 'Skills' },
  price: 'Prix',
  anyPrice: 'Tous les prix',
  prices: { free: 'Gratuit', paid: 'Payant' },
  tag: 'Mot-clé',
  anyTag: 'Tous les mots-clés',
  language: 'Langue',
  anyLanguage: 'Toutes les langues',
  order: 'Trier',
  orders: { title: 'De A à Z', newest: 'Plus récents d’abord' },
  items,
  found: ({ count }) =>
    f.plural(count, {
      one: `${f.number(count)} titre trouvé`,
      other: `${f.number(count)} titres trouvés`,
    }),
  showAll: 'Tout afficher',
  bundles: ({ count }) =>
    f.plural(count, { one: `${f.number(count)} pack`, other: `${f.number(count)} packs` }),
  noMatch: 'Aucun titre trouvé. Essayez avec moins de mots, ou d’autres mots.',
  before: 'Précédent',
  after: 'Suivant',
  look: 'Découvrir',
  shelves: { featured: 'À la une', books: 'Livres', bundles: 'Packs', skills: 'Skills' },
  emptyForOwner:
    'Les rayons sont vides. Ajoutez un livre ou un skill dans la page de gestion, qui indique ce qu’il reste à faire.',
  openOffice: 'Ouvrir la gestion',
  empty: 'Il n’y a pas encore de livres ni de skills. Le flux vous annoncera les premiers.',
  followFeed: 'Suivre le flux',
  termsAt: ({ address }) => ['Nos conditions générales se trouvent ici : ', address, '.'],
  privacyAt: ({ address }) => ['Notre politique de confidentialité se trouve ici : ', address, '.'],
  imprintAt: ({ address }) => ['Nos mentions légales se trouvent ici : ', address, '.'],
  contact: ({ stall, contact }) => [`Contacter ${stall} : `, contact, '.'],
};

const search: Words['shop']['search'] = {
  title: 'Recherche',
  titleFor: ({ words }) => `Recherche : ${words}`,
  nothing: ({ words }) =>
    `Aucun résultat pour « ${words} ». Essayez d’autres mots qui pourraient figurer dans le texte.`,
  titles: 'Titres',
  all: ({ count }) =>
    f.plural(count, {
      one: `Voir ${f.number(count)} titre`,
      other: `Voir les ${f.number(count)} titres`,
    }),
  texts: 'Dans les textes',
  samplesOnly: (signIn) => [
    'Pour les livres payants, la recherche ne porte que sur les extraits. ',
    signIn('Connectez-vous'),
    ' pour chercher dans toute votre bibliothèque.',
  ],
};

const item: Words['shop']['item'] = {
  draft: 'Ceci est un brouillon : personne d’autre que vous ne le voit.',
  private: 'Privé : seules les personnes qui y ont accès voient ce titre.',
  archived: 'Ce titre n’est plus en vente. Les personnes qui l’ont acheté le conservent.',
  praise: 'Ce qu’on en dit',
  about: ({ count }) => f.plural(count, { one: 'À propos de l’auteur', other: 'À propos des auteurs' }),
  moreBy: ({ count }) => f.plural(count, { one: 'Du même auteur', other: 'Des mêmes auteurs' }),
  fromSkill: 'Instructions pour l’agent',
  fromBook: 'Extrait du livre',
  readOn: 'Lire la suite',
  side: 'Comment l’obtenir',
  yoursSince: ({ when }) => ['Dans votre bibliothèque depuis le ', when],
  inBrowser: 'dans le navigateur',
  forAgent: 'pour votre agent',
  chapters,
  chaptersAndTime: ({ count, time }) => `${chapters({ count })}, ${time}`,
  files,
  edition: ({ version }) => `Édition ${version}`,
  editionOf: ({ when }) => ['Édition du ', when],
  editionAndDay: ({ version, when }) => [`Édition ${version} du `, when],
  needs: ({ items }) => ['Nécessite ', items, ', que « bookstall install » installe aussi'],
  signed: ({ signer, when }) => ['Signé par ', signer, ', comme toutes les éditions depuis le ', when],
  signature: 'Signature',
  signedNow: ({ signer }) => ['Signé par ', signer, ', depuis aujourd’hui'],
  bought: ({ find, redeem }) => [
    'Déjà acheté ? ',
    find('Retrouvez votre achat'),
    ' ou ',
    redeem('utilisez un code'),
    '.',
  ],
  boughtUnproven: ({ email, account, redeem }) => [
    'Vous l’avez acheté avec ',
    email,
    ', ou on vous y a donné accès ? Il sera disponible dès que vous aurez confirmé cette adresse ',
    account('sur la page de votre compte'),
    '. Ou ',
    redeem('utilisez un code'),
    '.',
  ],
  boughtOrSignIn: ({ signIn, find, redeem }) => [
    'Déjà acheté ? ',
    signIn('Connectez-vous'),
    ', ',
    find('retrouvez votre achat'),
    ' ou ',
    redeem('utilisez un code'),
    '.',
  ],
  getFree: 'Télécharger',
  read: 'Lire',
  readSample: 'Lire un extrait',
  print: 'Imprimer',
  ask: 'Interroger',
  facts: 'Détails',
  publisher: 'Éditeur',
  version: 'Version',
  language: 'Langue',
  licence: 'Licence',
  formats: 'Formats',
  tags: 'Mots-clés',
  contents: 'Sommaire',
  moreChapters: ({ count }) =>
    f.plural(count, {
      one: `${f.number(count)} autre chapitre`,
      other: `${f.number(count)} autres chapitres`,
    }),
  chaptersBefore: 'Chapitres précédents',
  chaptersAfter: ({ last, count }) =>
    `Chapitres suivants (${f.number(last)} sur ${f.number(count)} déjà affichés)`,
};

const kind =
  (one: string, other: string) =>
  ({ count }: Count): string =>
    f.plural(count, { one: `${f.number(count)} ${one}`, other: `${f.number(count)} ${other}` });

const inside: Words['shop']['inside'] = {
  title: 'Ce qu’il contient',
  none: 'Aucun',
  files: 'Fichiers',
  summary: ({ count, size, kinds }) => `${files({ count })}, ${size} : ${kinds}`,
  kinds: {
    markdown: kind('Markdown', 'Markdown'),
    script: kind('script', 'scripts'),
    program: kind('programme', 'programmes'),
    image: kind('image', 'images'),
    document: kind('document', 'documents'),
    archive: kind('archive', 'archives'),
    text: kind('autre texte', 'autres textes'),
    other: kind('autre', 'autres'),
  },
  scripts: 'Scripts',
  facts: {
    executable: 'Marqués comme exécutables',
    program: 'Programmes binaires',
    host: 'Hôtes dans les adresses web',
    tool: 'Outils autorisés',
    hidden: 'Caractères invisibles',
  },
};

const agents: Words['shop']['agents'] = {
  summary: 'Pour votre agent et la ligne de commande',
  bookId: ({ id }) => ['L’identifiant de ce livre est ', id, '.'],
  name: ({ name }) => ['Le nom de ce skill est ', name, '.'],
  keyNeeded: ({ key, yours }) => [
    'Les lignes qui contiennent ',
    key,
    ' demandent une clé API d’un compte ayant accès à ce titre : enregistrez ',
    yours('la vôtre'),
    ' dans cette variable d’environnement.',
  ],
  noKey: 'Aucune clé n’est nécessaire.',
  archive: 'Télécharger tous les fichiers en tar.gz',
  worksWith: ({ clients }) => `Compatible avec : ${clients}`,
  worksWithFindings: 'Compatibilité : voir les remarques',
  findingsOf: ({ client }) => `${client} : voir les remarques`,
  clients: {
    'claude-code': 'Claude Code',
    'claude.ai': 'claude.ai',
    spec: 'Agent Skills',
    'well-known': 'Le programme « skills »',
    mcp: 'Skills par MCP',
  },
  findings: {
    'front-matter-form': () =>
      'Une valeur de l’en-tête de SKILL.md n’a pas la forme que demande la spécification.',
    'unknown-front-matter-key': () =>
      'L’en-tête de SKILL.md contient un champ que la spécification ne connaît pas.',
    'claude-code-key': () => 'L’en-tête de SKILL.md contient un champ que seul Claude Code comprend.',
    'upload-key': () => 'claude.ai refuse à l’envoi un champ de l’en-tête de SKILL.md.',
    'upload-name': () => 'claude.ai refuse à l’envoi le nom du skill.',
    'upload-tag': () => 'claude.ai refuse à l’envoi les balises XML dans le nom et la description.',
    'listing-cut': () => 'Claude Code n’affiche que le début de la description.',
    'skill-name-form': () => 'Le nom contient des caractères que certains agents n’acceptent pas.',
    'skill-too-long': () => 'SKILL.md a plus de lignes que la spécification ne le recommande.',
    'skill-many-tokens': () => 'SKILL.md est plus long que la spécification ne le recommande.',
    'deep-reference': () => 'Un fichier renvoie à un autre que SKILL.md ne mentionne pas.',
    'skill-many-files': () => 'Le skill a plus de fichiers que ce client n’en accepte.',
    'skill-many-bytes': () => 'Le skill est plus volumineux que ce client ne l’accepte.',
    'skill-large-archive': () => 'L’archive du skill est plus volumineuse que ce client ne l’accepte.',
    'skill-archive-name': () => 'L’archive contient des noms de fichier que ce client ne sait pas lire.',
  },
  fileTable: ({ count, size }) => `${files({ count })}, ${size} au total`,
  path: 'Chemin',
  size: 'Taille',
  bytesOf: ({ path, size }) => `Contenu de ${path}, ${size}`,
  noFiles: 'Pas encore de fichiers.',
  filesBefore: 'Fichiers précédents',
  filesAfter: 'Fichiers suivants',
  digest: ({ digest }) => ['Empreinte de tous les fichiers : ', digest],
  installSkill:
    'Vérifie chaque fichier, puis installe le skill là où Claude Code le cherche. Indiquez un autre agent, ou aucun pour installer dans le dossier courant.',
  installBook: 'Vérifie chaque fichier, puis installe le livre dans le dossier courant.',
  unpack: ({ folder }) => `Décompresse le dossier ${folder} dans le dossier courant.`,
  save: ({ file }) => `Enregistre ${file}, que vous pouvez envoyer aux agents du web.`,
  signature: 'Signature',
  ask: 'Interroger',
  // In a line for a shell, with a plain space.
  askFor: 'De quoi parle ce livre ?',
  askDoes: 'Affiche au fur et à mesure une réponse tirée du livre, avec des citations.',
};

const news: Words['shop']['news'] = {
  title: 'Nouveautés',
  version: ({ version }) => `Version ${version}`,
  first: 'La première édition.',
  all: ({ count }) => `Les ${f.number(count)} éditions`,
  table: 'Éditions, les plus récentes d’abord',
  columns: { edition: 'Édition', day: 'Date', files: 'Fichiers', state: 'État' },
  states: {
    served: 'Actuelle',
    kept: 'Installable',
    gone: 'Plus conservée',
    withdrawn: 'Retirée',
  },
  added: 'Ajoutés',
  changed: 'Modifiés',
  removed: 'Supprimés',
  more: ({ count }) =>
    f.plural(count, { one: `Et ${f.number(count)} autre.`, other: `Et ${f.number(count)} autres.` }),
  changes: ({ added, changed, removed }) => {
    const all = [
      { count: added, one: 'ajouté', other: 'ajoutés' },
      { count: changed, one: 'modifié', other: 'modifiés' },
      { count: removed, one: 'supprimé', other: 'supprimés' },
    ].filter(({ count }) => count > 0);
    const said = all.map(
      ({ count, ...verbs }, n) => `${n === 0 ? files({ count }) : f.number(count)} ${f.plural(count, verbs)}`,
    );
    return said.join(', ') || 'Aucun fichier modifié';
  },
};

const bundle: Words['shop']['bundle'] = {
  parts: 'Dans ce pack',
  held: 'Déjà dans votre bibliothèque',
  alone: ({ price }) => `Séparément : ${price}`,
  together: ({ count }) => `${items({ count })} ensemble`,
  alsoIn: ({ bundle, count, price, whole }) => [
    'Aussi dans ',
    bundle,
    `, avec ${count === 1 ? 'un autre titre' : `${count} autres titres`} : ${price} au lieu de ${whole}`,
  ],
  saved: ({ price, saved }) => `Séparément : ${price}. Vous économisez ${saved}.`,
  some: ({ count }) => `Vous en avez déjà ${items({ count })}.`,
  all: 'Vous avez déjà tout ce qu’il contient.',
};

const buy: Words['shop']['buy'] = {
  button: ({ price }) => `Acheter pour ${price}`,
  buttonFrom: ({ price }) => `Prix libre, ${price}`,
  noPrice: 'Le prix n’est pas encore fixé.',
  notYet: 'Pas encore en vente ici.',
  askPublisher: ({ publisher }) => `Pour l’acheter, adressez-vous à l’éditeur, ${publisher}.`,
  write: ({ contact }) => ['Pour l’acheter, écrivez à ', contact, '.'],
  demo: 'Démo : le paiement est fictif. Vous revenez ici et lisez aussitôt.',
  payAt: ({ provider }) => `Vous payez sur ${provider}, puis vous revenez ici et lisez aussitôt.`,
  payAhead: ({ provider }) =>
    `Vous payez sur ${provider}. Dès la parution, vous lisez dans votre bibliothèque.`,
  payForKey: ({ provider }) =>
    `Vous payez sur ${provider}. Son e-mail contient une clé de licence : saisissez-la ici et lisez aussitôt.`,
  payAheadForKey: ({ provider }) =>
    `Vous payez sur ${provider}. Son e-mail contient une clé de licence : saisissez-la ici et lisez dès la parution.`,
  news: 'Nous pouvons vous écrire au sujet des nouvelles éditions ; un clic dans un de ces e-mails y met fin.',
};

const connect: Words['shop']['connect'] = {
  title: 'Connecter votre agent',
  description:
    'Commandes et réglages à copier pour qu’un agent trouve les livres et les skills de cette boutique.',
  lead: 'Commandes et réglages à copier, agent par agent. Les titres gratuits se lisent sans clé ; il n’en faut une que pour poser des questions.',
  owned: 'Connecter votre bibliothèque',
  link: 'Un lien pour votre agent',
  linkEmpty: 'Ce lien n’ouvre rien pour le moment : son compte n’a aucun titre qui y corresponde.',
  linkTakes: 'Avec ce lien, même les agents qui ne peuvent pas envoyer de clé téléchargent ces titres.',
  linkReads:
    'Avec ce lien, même les agents qui ne peuvent pas envoyer de clé téléchargent et lisent ces titres.',
  linkServer:
    'L’adresse pour claude.ai et les autres programmes qui se connectent à un serveur MCP par un lien :',
  recommended: 'Recommandé',
  otherWays: 'Autres façons',
  keyFrom: ({ keys }) => ['Vous créez une clé dans ', keys, '.'],
  putInto: ({ does, file }) => `${does} À ajouter dans ${file} :`,
  undo: ({ line }) => ['Pour annuler : ', line],
};

const accessibility: Words['shop']['accessibility'] = {
  title: 'Accessibilité',
  ways: 'Lisibilité',
  adjustable: 'L’affichage peut être adapté',
  readable: 'Entièrement lisible en voix de synthèse ou en braille',
  notFullyReadable: 'Pas entièrement lisible en voix de synthèse ou en braille',
  described: 'Images décrites',
  conformance: 'Règles d’accessibilité',
  noInformation: 'Aucune information disponible',
  conforms: 'Cette publication répond aux règles d’accessibilité reconnues',
  certified: ({ name }) => `Accessibilité évaluée par ${name}`,
  navigation: 'Points de repère',
  contents: 'Sommaire',
  headings: 'Titres',
  rich: 'Contenus spécifiques',
  math: 'Mathématiques en MathML',
  hazards: 'Points d’attention',
  noHazards: 'Aucun point d’attention',
  unknownHazards: 'On ignore s’il y a des points d’attention',
};

export const shop: Words['shop'] = {
  free: 'Gratuit',
  private: 'Privé',
  noPrice: 'Pas encore de prix',
  from: ({ price }) => `à partir de ${price}`,
  coming: ({ when }) => (when === null ? 'Bientôt disponible' : `À paraître : ${when}`),
  written: ({ percent }) => `Rédigé à ${f.number(percent)} %`,
  byline: ({ makers, publisher }) => [makers, ', publié par ', publisher],
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
