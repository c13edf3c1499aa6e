import { formatsIn } from '../formats.ts';
import { answerSentences } from '../answers.ts';
import type { Words } from '../words.ts';
import { browser } from './browser.ts';

const f = formatsIn('fr-FR');

export const reading: Words['reading'] = {
  search: 'Rechercher',
  ask: 'Interroger',
  contents: 'Sommaire',
  printHint: 'Le livre entier sur une page : votre navigateur peut l’imprimer ou l’enregistrer en PDF.',
  lookThrough: 'Parcourir le sommaire',
  back: 'Retour au livre',
  allChapters: ({ count }) =>
    f.plural(count, {
      one: `${f.number(count)} chapitre`,
      other: `Les ${f.number(count)} chapitres`,
    }),
  minutes: ({ hours, rest }) => {
    if (hours === 0) return `${rest} min`;
    return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  },
  chapter: {
    bought: (link) => ['C’est à vous. ', link('Téléchargez-le, offrez-le ou choisissez un mot de passe')],
    wasAt: ({ place, isDevice }) => [
      isDevice ? 'Dans KOReader, vous en étiez à ' : 'Dans le navigateur, vous en étiez à ',
      place,
      '.',
    ],
    changed: 'Ce texte a changé depuis qu’il a été cité : le passage n’est donc pas surligné.',
    sampleEnds: 'L’extrait s’arrête ici',
    position: ({ isBook, at, count }) =>
      `${isBook ? 'Chapitre' : 'Texte'} ${f.number(at)} sur ${f.number(count)}`,
    through: ({ percent }) => `lu à ${percent} %`,
    left: ({ time }) => `encore ${time}`,
    chapters: 'Chapitres',
    previous: 'Page précédente',
    next: 'Page suivante',
    part: ({ number, count }) => `Partie ${f.number(number)} sur ${f.number(count)}`,
    refunded: 'Votre commande a été remboursée et ne donne plus accès à ce texte',
    closed: ({ isBook }) =>
      isBook ? 'Ce chapitre fait partie du livre complet' : 'Ce texte fait partie du skill complet',
    openToAll: 'En accès libre',
    tooLong: ({ size }) => `Ce texte fait ${size}, c’est trop pour une page.`,
    openFile: 'Ouvrir le fichier',
    whole: ({ isBook, count, time, price, timed }) => [
      isBook ? 'Le livre entier : ' : 'Le skill entier : ',
      count > 1 ? `${f.number(count)} ${isBook ? 'chapitres' : 'textes'}` : '',
      ...(time === null ? [] : [count > 1 ? ', ' : '', timed(`${time} de lecture`)]),
      ...(price === null ? [] : [count > 1 || time !== null ? ', pour ' : '', price]),
      '.',
    ],
    signIn: 'Vous l’avez déjà ? Connectez-vous',
  },
  offline: {
    title: 'Gardés pour lire hors ligne',
    lead: 'Ces livres s’ouvrent sur cet appareil sans réseau.',
    keep: ({ size }: { size: string }) => `Garder pour lire hors ligne (environ ${size})`,
    keeping: 'Enregistrement du livre…',
    kept: 'Gardé sur cet appareil.',
    all: 'Tous les livres gardés',
    remove: 'Retirer de cet appareil',
    none: 'Cet appareil ne garde aucun livre.',
    full: 'Il n’y a pas assez de place pour ce livre sur cet appareil. Rien n’a été gardé.',
    failed: 'Le livre n’a pas pu être gardé pour le moment. Rien n’a été gardé ; réessayez.',
    ends: 'Ils sont retirés quand vous vous déconnectez ici, quand une autre personne se connecte, quand vous ne pouvez plus lire un livre, et après 30 jours pendant lesquels cet appareil n’a pas joint la boutique.',
    safari: 'Safari peut les effacer si vous n’ouvrez pas ce site pendant sept jours.',
  },
  find: {
    inBook: 'Rechercher dans ce livre',
    everywhere: 'Rechercher dans les titres et les textes',
    title: ({ title }) => `Recherche dans « ${title} »`,
    heading: ({ title }) => ['Recherche dans « ', title, ' »'],
    none: ({ words, isWhole }) =>
      `${isWhole ? 'Rien dans ce livre' : 'Rien dans l’extrait'} ne correspond à « ${words} ». Essayez avec moins de mots, ou d’autres mots.`,
    found: ({ count, isAll, isWhole }) => {
      const all = f.plural(count, {
        one: `${f.number(count)} passage`,
        other: `${f.number(count)} passages`,
      });
      const found = isAll ? all : `Les ${f.number(count)} meilleurs passages`;
      return isWhole
        ? `${found}.`
        : `${found}, de l’extrait seulement : la recherche porte sur le livre entier une fois qu’il est dans votre bibliothèque.`;
    },
  },
  answer: {
    answer: 'Réponse',
    title: ({ title }) => `Interroger « ${title} »`,
    heading: ({ title }) => ['Interroger « ', title, ' »'],
    form: 'Interroger le livre',
    question: 'Votre question',
    hint: 'La question n’est pas enregistrée.',
    hintLater: 'La question n’est pas enregistrée. Elle peut s’appuyer sur les réponses précédentes.',
    somethingElse: 'Changer de sujet',
    samples: 'Ou posez une de ces questions :',
    about: ({ words }) => `« ${words} » `,
    addQuestion: 'Ajoutez votre question sur ces mots.',
    typeFirst: 'Saisissez d’abord une question.',
    tooLong: ({ most }) => `La question dépasse ${f.number(most)} caractères : raccourcissez-la.`,
    sentBefore: 'Cette question a déjà été posée. Posez-la de nouveau si vous voulez une autre réponse.',
    writing: 'La réponse est en cours de rédaction…',
    weak: answerSentences('fr').weak,
    passage: ({ number }) => `Passage ${number}`,
    code: 'Code',
    notCovered: 'Le livre ne semble pas traiter cette question.',
    untied:
      'En gris : aucune citation n’accompagne cette phrase. Elle peut être juste ; rien ici ne le montre.',
    unsupported: 'Aucun passage du livre n’étaye cette réponse.',
    declined: 'Le modèle n’a pas voulu répondre.',
    nearestPlace: 'Le passage le plus proche est :',
    nearest: 'Au plus près dans le livre',
    inBook: 'Dans le livre',
    goOn: 'Poursuivre',
    again: 'Poser une autre question',
    cutShort: 'La réponse a été coupée.',
    found: 'Trouvé dans le texte même du livre, sans IA.',
    searched: 'Recherché dans le texte même du livre, sans IA.',
    written: ({ model }) => `Rédigé par ${model} à partir du livre ; chaque citation a été vérifiée.`,
    asked: ({ model }) => `Modèle interrogé : ${model}.`,
  },
  reports: {
    title: 'Envoyé à l’auteur',
    send: 'Envoyer à l’auteur',
    sendHint:
      'Si vous l’envoyez, les responsables de la boutique liront ces mots du livre, votre note telle qu’elle sera alors et votre adresse. Ils les conservent même si vous supprimez la note.',
    tell: 'Le dire à l’auteur',
    tellHint:
      'Si vous le faites, les responsables de la boutique liront cette seule question et votre adresse. Sans ce bouton, personne ne la lit.',
    sent: ({ state }) => `Envoyé à l’auteur : ${state}.`,
    states: { open: 'en attente', done: 'traité', declined: 'non retenu' },
    answer: ({ answer }) => `Réponse : ${answer}`,
  },
  proof: {
    link: 'Preuve',
    title: 'Preuve d’une citation',
    lead: 'Un petit fichier qui permet à quelqu’un qui n’a pas le livre de vérifier que ces mots y figurent : pour un ami qui doute de votre citation, ou pour accompagner une critique. Il ne montre pas que ces mots disent vrai.',
    discloses:
      'Le fichier montre tous ces mots, car il contient des morceaux entiers du texte. La citation est en gras.',
    take: 'Enregistrer la preuve',
    sendAlong: 'Envoyez le fichier avec cette adresse, où chacun peut le vérifier',
  },
  checkQuote: {
    title: 'Vérifier une citation',
    lead: 'Quelqu’un vous a envoyé un fichier .json qui prouve une citation d’un livre ? Choisissez-le ici. Il est vérifié dans votre navigateur et n’est envoyé nulle part.',
    file: 'La preuve',
    good: 'Ces mots figurent, à la lettre près, dans le livre tel qu’il a été signé avec la clé ci-dessous.',
    facts: {
      slug: 'Livre',
      version: 'Version',
      path: 'Fichier',
      key: 'Clé',
      signed: 'Date selon le signataire',
    },
    bold: 'L’expéditeur a choisi lesquels de ces mots sont en gras.',
    bad: 'Cette preuve n’est pas valable : elle a été abîmée en route, modifiée ou inventée. Demandez-la de nouveau ; telle quelle, elle ne montre rien.',
    other:
      'Ce n’est pas un fichier de preuve : rien n’a été vérifié. Une preuve est le fichier .json que donne le bouton « Preuve » à côté d’une citation.',
    unknown:
      'Ce navigateur ne peut pas la vérifier : il ne connaît pas ce type de clé, ou la page n’est pas en https. La commande ci-dessous le peut.',
    meaning: 'Ce que cela ne montre pas',
    means: [
      'À qui est la clé : comparez-la à celle qui figure sous « Signature » sur la page du livre, ici ou dans une autre boutique de confiance, ou sur la page de l’éditeur lui-même.',
      'Quand le livre a été signé : la date est celle que donne le signataire.',
      'Si ces mots disent vrai, ou s’ils ont dans leur chapitre le sens qu’ils semblent avoir seuls.',
      'Si l’on peut se fier à cette page : elle fait partie de cette boutique. La commande ci-dessous et le script du manuel de Bookstall font la vérification sans elle.',
    ],
    byCommand: 'Par la commande, sans cette boutique',
  },
  notes: {
    title: 'Notes',
    all: 'Toutes les notes',
    selected: 'Mots sélectionnés',
    acts: { highlight: 'Surligner', note: 'Note', link: browser.copyLink },
    askAbout: 'Interroger',
    keep: 'Garder',
    below: ({ count, lost, most, link }) => [
      link(
        f.plural(count, {
          one: `${f.number(count)} note dans ce chapitre`,
          other: `${f.number(count)} notes dans ce chapitre`,
        }),
      ),
      lost > 0 ? `, dont ${f.number(lost)} sur des mots qui n’y figurent plus` : '',
      most === null ? '' : ` ; les ${f.number(most)} premières sont surlignées ici`,
    ],
    search: 'Rechercher dans vos notes',
    noMatch: ({ words }) => `Aucune note ne contient « ${words} ».`,
    none: 'Pas encore de note. Sélectionnez des mots dans un livre que vous lisez ici, puis choisissez « Surligner » ou « Note ».',
    first: 'Début',
    next: 'Suivant',
    closed: ({ count }) =>
      f.plural(count, {
        one: 'Il y a des notes sur un livre que vous ne pouvez pas ouvrir pour le moment. Elles sont conservées, et reviendront dès que vous le pourrez.',
        other: `Il y a des notes sur ${f.number(count)} livres que vous ne pouvez pas ouvrir pour le moment. Elles sont conservées, et reviendront dès que vous le pourrez.`,
      }),
    saveAll: ({ markdown, csv }) => [
      'Tout enregistrer en ',
      markdown('Markdown'),
      ' ou en ',
      csv('CSV'),
      '.',
    ],
    lost: 'Ces mots ne figurent plus dans le livre',
    readThere: 'Voir dans le livre',
    edit: 'Modifier ou supprimer',
    note: 'Note',
    yourNote: 'Votre note',
    hint: ({ most }) => `${f.number(most)} caractères au plus. Sans texte, les mots restent surlignés.`,
    save: 'Enregistrer',
    delete: 'Supprimer',
    back: 'Retour au passage',
  },
};
