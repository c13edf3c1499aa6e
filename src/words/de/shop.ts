import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';
import { steps } from './connect.ts';

const f = formatsIn('de-DE');

type Count = { count: number };

const items = ({ count }: Count): string => `${f.number(count)} Titel`;
const files = ({ count }: Count): string =>
  f.plural(count, { one: '1 Datei', other: `${f.number(count)} Dateien` });
const chapters = ({ count }: Count): string => `${f.number(count)} Kapitel`;

const home: Words['shop']['home'] = {
  description: ({ stall }) => `Bücher und Skills von ${stall}`,
  search: 'Suche',
  searchButton: 'Suchen',
  placeholder: ({ count }) =>
    f.plural(count, {
      one: '1 Titel und sein Text',
      other: `${f.number(count)} Titel und ihre Texte`,
    }),
  filters: 'Filter',
  kind: 'Art',
  anyKind: 'Bücher und Skills',
  kinds: { book: 'Bücher', skill: 'Skills' },
  price: 'Preis',
  anyPrice: 'Alle Preise',
  prices: { free: 'Kostenlos', paid: 'Kostenpflichtig' },
  tag: 'Schlagwort',
  anyTag: 'Alle Schlagwörter',
  language: 'Sprache',
  anyLanguage: 'Alle Sprachen',
  order: 'Reihenfolge',
  orders: { title: 'A bis Z', newest: 'Neueste zuerst' },
  items,
  found: ({ count }) => `${items({ count })} gefunden`,
  showAll: 'Alles anzeigen',
  bundles: ({ count }) => f.plural(count, { one: '1 Paket', other: `${f.number(count)} Pakete` }),
  noMatch: 'Nichts gefunden. Versuchen Sie es mit weniger oder anderen Wörtern.',
  before: 'Zurück',
  after: 'Weiter',
  look: 'Ansehen',
  shelves: { featured: 'Empfohlen', books: 'Bücher', bundles: 'Pakete', skills: 'Skills' },
  emptyForOwner:
    'Die Regale sind noch leer. Im Büro fügen Sie ein Buch oder einen Skill hinzu und sehen, was noch zu tun ist.',
  openOffice: 'Zum Büro',
  empty: 'Noch gibt es keine Bücher oder Skills. Im Feed erfahren Sie von den ersten.',
  followFeed: 'Feed abonnieren',
  termsAt: ({ address }) => ['Unsere AGB finden Sie unter ', address, '.'],
  privacyAt: ({ address }) => ['Unsere Datenschutzerklärung finden Sie unter ', address, '.'],
  imprintAt: ({ address }) => ['Unser Impressum finden Sie unter ', address, '.'],
  contact: ({ stall, contact }) => [`So erreichen Sie ${stall}: `, contact, '.'],
};

const search: Words['shop']['search'] = {
  title: 'Suche',
  titleFor: ({ words }) => `Suche: ${words}`,
  nothing: ({ words }) =>
    `Nichts gefunden für „${words}“. Vielleicht helfen andere Wörter, die im Text stehen könnten.`,
  titles: 'Titel',
  all: ({ count }) => `Alle ${items({ count })}`,
  texts: 'In den Texten',
  samplesOnly: (signIn) => [
    'In kostenpflichtigen Büchern wurden nur die Leseproben durchsucht. ',
    signIn('Melden Sie sich an'),
    ', um alles zu durchsuchen, was Ihnen gehört.',
  ],
};

const item: Words['shop']['item'] = {
  draft: 'Das ist ein Entwurf: Außer Ihnen sieht ihn niemand.',
  private: 'Nicht öffentlich: Nur wer Zugang bekommen hat, sieht diesen Titel.',
  archived: 'Dieser Titel wird nicht mehr verkauft. Wer ihn gekauft hat, behält ihn.',
  praise: 'Stimmen',
  about: ({ count }) => f.plural(count, { one: 'Zur Person', other: 'Zu den Personen' }),
  moreBy: ({ count }) => (count === 1 ? 'Weitere Titel dieser Person' : 'Weitere Titel dieser Personen'),
  fromSkill: 'Anweisungen für den Agenten',
  fromBook: 'Aus dem Buch',
  readOn: 'Weiterlesen',
  side: 'So bekommen Sie es',
  yoursSince: ({ when }) => ['Seit dem ', when, ' in Ihrer Bibliothek'],
  inBrowser: 'im Browser',
  forAgent: 'für Ihren Agenten',
  chapters,
  chaptersAndTime: ({ count, time }) => `${chapters({ count })}, ${time}`,
  files,
  edition: ({ version }) => `Ausgabe ${version}`,
  editionOf: ({ when }) => ['Ausgabe vom ', when],
  editionAndDay: ({ version, when }) => [`Ausgabe ${version} vom `, when],
  needs: ({ items }) => ['Braucht ', items, '; „bookstall install“ installiert das mit'],
  signed: ({ signer, when }) => ['Signiert von ', signer, ', wie alle Ausgaben seit dem ', when],
  signature: 'Signatur',
  signedNow: ({ signer }) => ['Signiert von ', signer, ', seit heute'],
  bought: ({ find, redeem }) => [
    'Schon gekauft? ',
    find('Kauf wiederfinden'),
    ' oder ',
    redeem('Code einlösen'),
    '.',
  ],
  boughtUnproven: ({ email, account, redeem }) => [
    'Mit ',
    email,
    ' gekauft oder geschenkt bekommen? Es wartet, bis Sie diese Adresse ',
    account('auf Ihrer Kontoseite'),
    ' bestätigen. Oder ',
    redeem('Code einlösen'),
    '.',
  ],
  boughtOrSignIn: ({ signIn, find, redeem }) => [
    'Schon gekauft? ',
    signIn('Anmelden'),
    ', ',
    find('Kauf wiederfinden'),
    ' oder ',
    redeem('Code einlösen'),
    '.',
  ],
  getFree: 'Kostenlos laden',
  read: 'Lesen',
  readSample: 'Leseprobe',
  print: 'Drucken',
  ask: 'Fragen',
  facts: 'Angaben',
  publisher: 'Verlag',
  version: 'Version',
  language: 'Sprache',
  licence: 'Lizenz',
  formats: 'Formate',
  tags: 'Schlagwörter',
  contents: 'Inhalt',
  moreChapters: ({ count }) => `${f.number(count)} weitere Kapitel`,
  chaptersBefore: 'Vorige Kapitel',
  chaptersAfter: ({ last, count }) => `Kapitel nach ${f.number(last)} von ${f.number(count)}`,
};

const kind =
  (one: string, other: string) =>
  ({ count }: Count): string =>
    f.plural(count, { one: `1 ${one}`, other: `${f.number(count)} ${other}` });

const inside: Words['shop']['inside'] = {
  title: 'Was darin steckt',
  none: 'Keine',
  files: 'Dateien',
  summary: ({ count, size, kinds }) => `${files({ count })}, ${size}: ${kinds}`,
  kinds: {
    markdown: kind('Markdown', 'Markdown'),
    script: kind('Skript', 'Skripte'),
    program: kind('Programm', 'Programme'),
    image: kind('Bild', 'Bilder'),
    document: kind('Dokument', 'Dokumente'),
    archive: kind('Archiv', 'Archive'),
    text: kind('anderer Text', 'andere Texte'),
    other: kind('sonstige', 'sonstige'),
  },
  scripts: 'Skripte',
  facts: {
    executable: 'Als ausführbar markiert',
    program: 'Programme in Binärform',
    host: 'Hosts in Webadressen',
    tool: 'Erlaubte Werkzeuge',
    hidden: 'Versteckte Zeichen',
  },
};

const agents: Words['shop']['agents'] = {
  summary: 'Für Ihren Agenten und die Kommandozeile',
  bookId: ({ id }) => ['Die Kennung dieses Buchs ist ', id, '.'],
  name: ({ name }) => ['Der Name dieses Skills ist ', name, '.'],
  keyNeeded: ({ key, yours }) => [
    'Zeilen mit ',
    key,
    ' brauchen einen Schlüssel mit Zugriff auf diesen Titel. Speichern Sie ',
    yours('Ihren'),
    ' in dieser Umgebungsvariablen.',
  ],
  noKey: 'Sie brauchen dafür keinen Schlüssel.',
  archive: 'Alle Dateien als tar.gz herunterladen',
  worksWith: ({ clients }) => `Geeignet für: ${clients}`,
  worksWithFindings: 'Geeignet für: siehe Hinweise',
  findingsOf: ({ client }) => `${client}: siehe Hinweise`,
  clients: {
    'claude-code': 'Claude Code',
    'claude.ai': 'claude.ai',
    spec: 'Agent Skills',
    'well-known': 'Das Programm „skills“',
    mcp: 'Skills über MCP',
  },
  findings: {
    'front-matter-form': () =>
      'Ein Wert am Anfang von SKILL.md hat eine andere Form, als die Spezifikation verlangt.',
    'unknown-front-matter-key': () =>
      'Am Anfang von SKILL.md steht eine Angabe, die die Spezifikation nicht kennt.',
    'claude-code-key': () => 'Am Anfang von SKILL.md steht eine Angabe, die nur Claude Code versteht.',
    'upload-key': () => 'claude.ai lehnt beim Hochladen eine Angabe am Anfang von SKILL.md ab.',
    'upload-name': () => 'claude.ai lehnt beim Hochladen den Namen des Skills ab.',
    'upload-tag': () => 'claude.ai lehnt beim Hochladen XML-Tags in Name und Beschreibung ab.',
    'listing-cut': () => 'Claude Code zeigt nur den Anfang der Beschreibung.',
    'skill-name-form': () => 'Der Name enthält Zeichen, die nicht jeder Agent annimmt.',
    'skill-too-long': () => 'SKILL.md hat mehr Zeilen, als die Spezifikation empfiehlt.',
    'skill-many-tokens': () => 'SKILL.md ist länger, als die Spezifikation empfiehlt.',
    'deep-reference': () => 'Eine Datei verweist auf eine weitere, die SKILL.md nicht nennt.',
    'skill-many-files': () => 'Der Skill hat mehr Dateien, als hier angenommen werden.',
    'skill-many-bytes': () => 'Der Skill ist größer, als hier angenommen wird.',
    'skill-large-archive': () => 'Das Archiv des Skills ist größer, als das Programm annimmt.',
    'skill-archive-name': () => 'Im Archiv sind Dateinamen, die das Programm nicht lesen kann.',
  },
  fileTable: ({ count, size }) => `${files({ count })}, zusammen ${size}`,
  path: 'Pfad',
  size: 'Größe',
  bytesOf: ({ path, size }) => `Inhalt von ${path}, ${size}`,
  noFiles: 'Noch keine Dateien.',
  filesBefore: 'Vorige Dateien',
  filesAfter: 'Weitere Dateien',
  digest: ({ digest }) => ['Prüfsumme aller Dateien: ', digest],
  installSkill:
    'Prüft jede Datei und installiert den Skill dort, wo Claude Code ihn sucht. Nennen Sie stattdessen einen anderen Agenten oder gar keinen, dann kommt er ins aktuelle Verzeichnis.',
  installBook: 'Prüft jede Datei und legt das Buch als Ordner ins aktuelle Verzeichnis.',
  unpack: ({ folder }) => `Entpackt den Ordner ${folder} ins aktuelle Verzeichnis.`,
  save: ({ file }) => `Speichert ${file}, das sich bei Agenten im Web hochladen lässt.`,
  signature: 'Signatur',
  ask: 'Fragen',
  askFor: 'Worum geht es in diesem Buch?',
  askDoes: 'Gibt eine Antwort aus dem Buch aus, mit Belegen.',
};

const news: Words['shop']['news'] = {
  title: 'Neuerungen',
  version: ({ version }) => `Version ${version}`,
  first: 'Die erste Ausgabe.',
  all: ({ count }) => `Alle ${f.number(count)} Ausgaben`,
  table: 'Ausgaben, die neueste zuerst',
  columns: { edition: 'Ausgabe', day: 'Datum', files: 'Dateien', state: 'Stand' },
  states: {
    served: 'Aktuell',
    kept: 'Installierbar',
    gone: 'Nicht mehr vorhanden',
    withdrawn: 'Zurückgezogen',
  },
  added: 'Neu',
  changed: 'Geändert',
  removed: 'Entfernt',
  more: ({ count }) => `Und ${f.number(count)} weitere.`,
  changes: ({ added, changed, removed }) => {
    const all = [
      { count: added, verb: 'neu' },
      { count: changed, verb: 'geändert' },
      { count: removed, verb: 'entfernt' },
    ].filter(({ count }) => count > 0);
    const said = all.map(({ count, verb }, n) => `${n === 0 ? files({ count }) : f.number(count)} ${verb}`);
    return said.join(', ') || 'Keine Datei geändert';
  },
};

const bundle: Words['shop']['bundle'] = {
  parts: 'In diesem Paket',
  held: 'Gehört Ihnen schon',
  alone: ({ price }) => `Einzeln ${price}`,
  together: ({ count }) => `${items({ count })} zusammen`,
  alsoIn: ({ bundle, count, price, whole }) => [
    'Auch im Paket ',
    bundle,
    ` mit ${count === 1 ? 'einem weiteren Titel' : `${count} weiteren Titeln`}: ${price} statt ${whole}`,
  ],
  saved: ({ price, saved }) => `Einzeln ${price}: Sie sparen ${saved}`,
  some: ({ count }) => `${items({ count })} daraus ${count === 1 ? 'gehört' : 'gehören'} Ihnen schon.`,
  all: 'Alles daraus gehört Ihnen schon.',
};

const buy: Words['shop']['buy'] = {
  button: ({ price }) => `Für ${price} kaufen`,
  buttonFrom: ({ price }) => `Preis selbst wählen, ${price}`,
  noPrice: 'Der Preis steht noch nicht fest.',
  notYet: 'Es steht hier noch nicht zum Verkauf.',
  askPublisher: ({ publisher }) => `Fragen Sie ${publisher}, wie Sie es kaufen können.`,
  write: ({ contact }) => ['Zum Kauf schreiben Sie an ', contact, '.'],
  demo: 'Eine Demo: Sie bezahlen nur zum Schein und können gleich lesen.',
  payAt: ({ provider }) =>
    `Sie bezahlen bei ${provider}. Danach kommen Sie hierher zurück und können gleich lesen.`,
  payAhead: ({ provider }) =>
    `Sie bezahlen bei ${provider}. Sobald der Titel erscheint, liegt er in Ihrer Bibliothek.`,
  payForKey: ({ provider }) =>
    `Sie bezahlen bei ${provider}. In der Mail von dort steht ein Lizenzschlüssel: Geben Sie ihn hier ein, und lesen Sie gleich.`,
  payAheadForKey: ({ provider }) =>
    `Sie bezahlen bei ${provider}. In der Mail von dort steht ein Lizenzschlüssel: Geben Sie ihn hier ein, und lesen Sie, sobald der Titel erscheint.`,
  news: 'Wir dürfen Ihnen zu neuen Ausgaben schreiben; ein Klick in einer solchen Mail beendet das.',
};

const connect: Words['shop']['connect'] = {
  title: 'Ihren Agenten verbinden',
  description: 'Zeilen zum Einfügen, mit denen ein Agent unsere Bücher und Skills findet.',
  lead: 'Zeilen zum Einfügen, für jeden Agenten und für alles Kostenlose. Einen Schlüssel brauchen nur Fragen.',
  owned: 'Gekauftes verbinden',
  link: 'Ein Link für Ihren Agenten',
  linkEmpty: 'Dieser Link öffnet zurzeit nichts: Zum Konto dahinter gehört kein passender Titel.',
  linkTakes: 'Damit laden auch Agenten, die keinen Schlüssel senden können, diese Titel.',
  linkReads: 'Damit laden und lesen auch Agenten, die keinen Schlüssel senden können, diese Titel.',
  linkServer: 'Die Adresse für claude.ai und andere Programme, die MCP-Server über einen Link verbinden:',
  recommended: 'Empfohlen',
  otherWays: 'Andere Möglichkeiten',
  keyFrom: ({ keys }) => ['Einen Schlüssel erstellen Sie unter ', keys, '.'],
  putInto: ({ does, file }) => `${does} Einzufügen in ${file}:`,
  undo: ({ line }) => ['Rückgängig machen: ', line],
};

const accessibility: Words['shop']['accessibility'] = {
  title: 'Barrierefreiheit',
  ways: 'Lesemöglichkeiten',
  adjustable: 'Das Erscheinungsbild lässt sich anpassen',
  readable: 'Lässt sich vorlesen oder auf einer Braillezeile lesen',
  notFullyReadable: 'Lässt sich nicht vollständig vorlesen oder auf einer Braillezeile lesen',
  described: 'Enthält Alternativtexte',
  conformance: 'Konformität',
  noInformation: 'Keine Angaben vorhanden',
  conforms: 'Diese Publikation erfüllt anerkannte Standards der Barrierefreiheit',
  certified: ({ name }) => `Die Publikation wurde von ${name} zertifiziert`,
  navigation: 'Navigation',
  contents: 'Inhaltsverzeichnis',
  headings: 'Überschriften',
  rich: 'Besondere Inhalte',
  math: 'Formeln als MathML',
  hazards: 'Gefahren',
  noHazards: 'Keine Gefahren',
  unknownHazards: 'Ob es Gefahren gibt, ist nicht bekannt',
};

export const shop: Words['shop'] = {
  free: 'Kostenlos',
  private: 'Nicht öffentlich',
  noPrice: 'Noch kein Preis',
  from: ({ price }) => `ab ${price}`,
  coming: ({ when }) => (when === null ? 'Erscheint bald' : `Erscheint: ${when}`),
  written: ({ percent }) => `zu ${f.number(percent)} % geschrieben`,
  byline: ({ makers, publisher }) => [makers, ', erschienen bei ', publisher],
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
