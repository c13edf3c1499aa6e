import { formatsIn } from '../formats.ts';
import { answerSentences } from '../answers.ts';
import type { Words } from '../words.ts';
import { browser } from './browser.ts';

const f = formatsIn('de-DE');

export const reading: Words['reading'] = {
  search: 'Suchen',
  ask: 'Fragen',
  contents: 'Inhalt',
  printHint: 'Das ganze Buch auf einer Seite: Ihr Browser druckt es oder speichert es als PDF.',
  lookThrough: 'Inhaltsverzeichnis ansehen',
  back: 'Zurück zum Buch',
  allChapters: ({ count }) => `Alle ${f.number(count)} Kapitel`,
  minutes: ({ hours, rest }) => {
    if (hours === 0) return `${rest} Min.`;
    return rest === 0 ? `${hours} Std.` : `${hours} Std. ${rest} Min.`;
  },
  chapter: {
    bought: (link) => ['Es gehört Ihnen. ', link('Herunterladen, verschenken oder ein Passwort wählen'), '.'],
    wasAt: ({ place, isDevice }) => [
      isDevice ? 'In KOReader waren Sie bei ' : 'Im Browser waren Sie bei ',
      place,
      '.',
    ],
    changed: 'Dieser Text hat sich geändert, seit er zitiert wurde. Die Stelle ist deshalb nicht markiert.',
    sampleEnds: 'Hier endet die Leseprobe',
    position: ({ isBook, at, count }) =>
      `${isBook ? 'Kapitel' : 'Text'} ${f.number(at)} von ${f.number(count)}`,
    through: ({ percent }) => `${percent} % gelesen`,
    left: ({ time }) => `${time} bis zum Ende`,
    chapters: 'Kapitel',
    previous: 'Vorige Seite',
    next: 'Nächste Seite',
    part: ({ number, count }) => `Teil ${f.number(number)} von ${f.number(count)}`,
    refunded: 'Ihre Bestellung wurde erstattet und öffnet diesen Text nicht mehr',
    closed: ({ isBook }) =>
      isBook ? 'Dieses Kapitel gehört nicht zur Leseprobe' : 'Dieser Text gehört nicht zur Leseprobe',
    openToAll: 'Frei zu lesen',
    tooLong: ({ size }) => `Dieser Text ist mit ${size} zu groß für eine Seite.`,
    openFile: 'Datei öffnen',
    whole: ({ isBook, count, time, price, timed }) => [
      isBook ? 'Das ganze Buch' : 'Der ganze Skill',
      ...(count > 1 ? [`: ${f.number(count)} ${isBook ? 'Kapitel' : 'Texte'}`] : []),
      ...(time === null ? [] : [count > 1 ? ', ' : ': ', timed(`${time} Lesezeit`)]),
      ...(price === null ? [] : [', für ', price]),
      '.',
    ],
    signIn: 'Schon gekauft? Anmelden',
  },
  offline: {
    title: 'Offline gespeichert',
    lead: 'Diese Bücher lassen sich auf diesem Gerät auch ohne Netz öffnen.',
    keep: ({ size }: { size: string }) => `Offline speichern (etwa ${size})`,
    keeping: 'Das Buch wird gespeichert …',
    kept: 'Auf diesem Gerät gespeichert.',
    all: 'Alle gespeicherten Bücher',
    remove: 'Von diesem Gerät entfernen',
    none: 'Auf diesem Gerät ist kein Buch gespeichert.',
    full: 'Auf diesem Gerät ist zu wenig Platz für das Buch. Es wurde nichts gespeichert.',
    failed: 'Das Speichern ist fehlgeschlagen, es wurde nichts gespeichert. Versuchen Sie es noch einmal.',
    ends: 'Ein Buch wird entfernt, wenn Sie sich hier abmelden, wenn sich jemand anderes anmeldet, wenn Sie es nicht mehr lesen dürfen und wenn dieses Gerät den Server 30 Tage lang nicht erreicht hat.',
    safari:
      'Safari löscht gespeicherte Bücher womöglich, wenn Sie diese Seiten sieben Tage lang nicht öffnen.',
  },
  find: {
    inBook: 'In diesem Buch suchen',
    everywhere: 'In Titeln und Texten suchen',
    title: ({ title }) => `Suche in „${title}“`,
    heading: ({ title }) => ['Suche in „', title, '“'],
    none: ({ words, isWhole }) =>
      `Zu „${words}“ gibt es ${isWhole ? 'in diesem Buch' : 'in der Leseprobe'} keine Treffer. Versuchen Sie es mit weniger oder anderen Wörtern.`,
    found: ({ count, isAll, isWhole }) => {
      const all = f.plural(count, { one: '1 Stelle', other: `${f.number(count)} Stellen` });
      const found = isAll ? all : `Die ${f.number(count)} besten Stellen`;
      return isWhole
        ? `${found}.`
        : `${found}, nur aus der Leseprobe. Das ganze Buch wird durchsucht, wenn es Ihnen gehört.`;
    },
  },
  answer: {
    answer: 'Antwort',
    title: ({ title }) => `Fragen an „${title}“`,
    heading: ({ title }) => ['Fragen an „', title, '“'],
    form: 'Frage an das Buch',
    question: 'Ihre Frage',
    hint: 'Die Frage wird nicht gespeichert.',
    hintLater: 'Die Frage wird nicht gespeichert. Sie kann sich auf die bisherigen Antworten beziehen.',
    somethingElse: 'Etwas anderes fragen',
    samples: 'Oder eine dieser Fragen:',
    about: ({ words }) => `„${words}“ `,
    addQuestion: 'Was möchten Sie zu dieser Stelle wissen?',
    typeFirst: 'Geben Sie zuerst eine Frage ein.',
    tooLong: ({ most }) => `Die Frage ist länger als ${f.number(most)} Zeichen. Bitte kürzen Sie sie.`,
    sentBefore:
      'Diese Frage wurde schon gestellt. Stellen Sie sie noch einmal, wenn Sie eine weitere Antwort möchten.',
    writing: 'Die Antwort wird geschrieben …',
    weak: answerSentences('de').weak,
    passage: ({ number }) => `Stelle ${number}`,
    code: 'Code',
    notCovered: 'Das Buch scheint darauf nicht einzugehen.',
    untied: 'Grau: Neben diesem Satz steht kein Zitat. Er kann stimmen; hier zeigt es nichts.',
    unsupported: 'Keine Stelle im Buch belegt diese Antwort.',
    declined: 'Das Modell hat die Antwort abgelehnt.',
    nearestPlace: 'Am nächsten kommt diese Stelle:',
    nearest: 'Am nächsten im Buch',
    inBook: 'Im Buch',
    goOn: 'Weiterfragen',
    again: 'Weitere Frage',
    cutShort: 'Die Antwort wurde abgeschnitten.',
    found: 'Aus dem Text des Buchs herausgesucht, ohne KI.',
    searched: 'Im Text des Buchs gesucht, ohne KI.',
    written: ({ model }) => `Von ${model} anhand des Buchs geschrieben; jedes Zitat wurde geprüft.`,
    asked: ({ model }) => `Gefragt: ${model}.`,
  },
  reports: {
    title: 'An die Autoren geschickt',
    send: 'An die Autoren schicken',
    sendHint:
      'Wenn Sie sie schicken, lesen die Betreiber diese Wörter des Buchs, Ihre Notiz in der Fassung von dann und Ihre Adresse. Sie behalten alles, auch wenn Sie die Notiz löschen.',
    tell: 'Den Autoren sagen',
    tellHint:
      'Wenn Sie das tun, lesen die Betreiber diese eine Frage und Ihre Adresse. Sonst liest sie niemand.',
    sent: ({ state }) => `An die Autoren geschickt: ${state}.`,
    states: { open: 'offen', done: 'erledigt', declined: 'abgelehnt' },
    answer: ({ answer }) => `Antwort darauf: ${answer}`,
  },
  proof: {
    link: 'Beweis',
    title: 'Beweis eines Zitats',
    lead: 'Mit dieser kleinen Datei lässt sich auch ohne das Buch prüfen, dass diese Worte darin stehen: für jemanden, der Ihr Zitat bezweifelt, oder als Beilage zu einer Rezension. Ob die Worte wahr sind, zeigt die Datei nicht.',
    discloses:
      'Die Datei zeigt alle diese Worte, denn sie enthält ganze Stücke des Textes. Das Zitat ist fett hervorgehoben.',
    take: 'Beweis speichern',
    sendAlong: 'Senden Sie die Datei zusammen mit dieser Adresse, unter der jeder sie prüfen kann',
  },
  checkQuote: {
    title: 'Zitat prüfen',
    lead: 'Hat Ihnen jemand eine .json-Datei geschickt, die ein Zitat aus einem Buch beweist? Wählen Sie sie hier aus. Sie wird in Ihrem Browser geprüft und nirgendwohin gesendet.',
    file: 'Der Beweis',
    good: 'Diese Worte stehen Buchstabe für Buchstabe im Buch, so wie es mit dem Schlüssel unten signiert wurde.',
    facts: {
      slug: 'Buch',
      version: 'Version',
      path: 'Datei',
      key: 'Schlüssel',
      signed: 'Datum laut Unterzeichner',
    },
    bold: 'Welche dieser Worte fett erscheinen, hat der Absender gewählt.',
    bad: 'Dieser Beweis stimmt nicht: Er wurde unterwegs beschädigt, verändert oder gefälscht. Lassen Sie ihn sich noch einmal schicken; so, wie er ist, zeigt er nichts.',
    other:
      'Das ist keine Beweisdatei, deshalb wurde nichts geprüft. Ein Beweis ist die .json-Datei, die man über „Beweis“ neben einem Zitat bekommt.',
    unknown:
      'Dieser Browser kann das nicht prüfen: Er kennt diese Art von Schlüssel nicht, oder die Seite wird nicht über https aufgerufen. Der Befehl unten kann es.',
    meaning: 'Was das nicht zeigt',
    means: [
      'Wem der Schlüssel gehört: Vergleichen Sie ihn mit dem unter „Signatur“ auf der Seite des Buchs, hier oder an einem anderen Stand, dem Sie vertrauen, oder auf der eigenen Seite des Verlags.',
      'Wann das Buch signiert wurde: Das Datum hat der Unterzeichner angegeben.',
      'Ob die Worte wahr sind oder in ihrem Kapitel das bedeuten, was sie allein zu bedeuten scheinen.',
      'Ob man dieser Seite trauen kann: Sie gehört zu diesem Stand. Der Befehl unten und das Skript im Bookstall-Handbuch kommen ohne sie aus.',
    ],
    byCommand: 'Mit dem Befehl, ohne diesen Stand',
  },
  notes: {
    title: 'Notizen',
    all: 'Alle Notizen',
    selected: 'Ausgewählte Wörter',
    acts: { highlight: 'Markieren', note: 'Notiz', link: browser.copyLink },
    askAbout: 'Dazu fragen',
    keep: 'Merken',
    below: ({ count, lost, most, link }) => [
      link(
        f.plural(count, {
          one: '1 Notiz in diesem Kapitel',
          other: `${f.number(count)} Notizen in diesem Kapitel`,
        }),
      ),
      lost > 0 ? `, davon ${f.number(lost)} zu Wörtern, die hier nicht mehr stehen` : '',
      most === null ? '' : `; die ersten ${f.number(most)} sind hier markiert`,
    ],
    search: 'In Ihren Notizen suchen',
    noMatch: ({ words }) => `Keine Notiz enthält „${words}“.`,
    none: 'Noch keine Notizen. Wählen Sie beim Lesen Wörter aus und dann „Markieren“ oder „Notiz“.',
    first: 'Anfang',
    next: 'Weiter',
    closed: ({ count }) =>
      f.plural(count, {
        one: 'Zu einem Buch, das Sie zurzeit nicht öffnen können, gibt es Notizen. Sie bleiben erhalten und erscheinen wieder, sobald Sie es öffnen können.',
        other: `Zu ${f.number(count)} Büchern, die Sie zurzeit nicht öffnen können, gibt es Notizen. Sie bleiben erhalten und erscheinen wieder, sobald Sie die Bücher öffnen können.`,
      }),
    saveAll: ({ markdown, csv }) => ['Alle speichern als ', markdown('Markdown'), ' oder ', csv('CSV'), '.'],
    lost: 'Diese Wörter stehen nicht mehr im Buch',
    readThere: 'Im Buch zeigen',
    edit: 'Bearbeiten oder löschen',
    note: 'Notiz',
    yourNote: 'Ihre Notiz',
    hint: ({ most }) => `Bis zu ${f.number(most)} Zeichen. Ohne Text bleibt nur die Markierung.`,
    save: 'Speichern',
    delete: 'Löschen',
    back: 'Zurück zur Stelle',
  },
};
