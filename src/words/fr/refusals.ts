import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';

const f = formatsIn('fr-FR');

const VERBS = {
  look: 'voir',
  read: 'lire',
  install: 'installer',
  zip: 'télécharger',
  take: 'obtenir',
  files: 'lire les fichiers de',
  ask: 'interroger',
};

/** A sentence that ends with how long to wait. */
const inSeconds = (seconds: number, why: string): string =>
  f.plural(seconds, {
    one: `${why} Attendez une seconde, puis réessayez.`,
    other: `${why} Attendez ${f.number(seconds)} secondes, puis réessayez.`,
  });

const account: Words['refusals']['account'] = {
  overPlainHttp:
    'Depuis un autre appareil, vous ne pouvez pas vous connecter sans chiffrement (http). Ouvrez la boutique en https, ou démarrez-la avec --insecure-http.',
  hasOwner: 'Cette boutique a déjà un propriétaire. Connectez-vous.',
  byProxy:
    'Il n’y a pas de mots de passe ici : vous vous connectez par votre organisation. Allez sur la page d’accueil.',
  proxyHeader: ({ header }) =>
    `La connexion est mal configurée : le proxy doit envoyer une seule fois l’en-tête ${header}, avec une adresse e-mail en ASCII. Prévenez la personne qui s’en occupe.`,
  proxyUnknown: ({ address }) => `Il n’y a pas de compte ici pour ${address}. Demandez-en un à la boutique.`,
  cannotMailLink: 'Cette boutique n’envoie pas d’e-mails. Demandez-lui un lien.',
  cannotSignUp: 'Vous ne pouvez pas créer de compte ici vous-même. Demandez-en un à la boutique.',
  cannotMailNews: 'Cette boutique n’envoie pas d’e-mails, donc pas de nouveautés non plus.',
  cannotEndNews:
    'Ce lien ne permet pas de vous désabonner : il a expiré ou ne vient pas d’ici. Vous pouvez le faire sur la page de votre compte.',
  notAnEReader: ({ text }) =>
    `Aucun livre ne peut être envoyé à « ${text} ». Saisissez une adresse qui se termine par @kindle.com ou @pbsync.com.`,
  mailedEnough: ({ most }) =>
    `Impossible d’envoyer plus de ${most} livres en 24 heures vers une liseuse. Réessayez demain ou téléchargez l’EPUB.`,
  bookTooLarge: ({ size, most }) =>
    `Cet EPUB de ${size} est trop lourd pour un e-mail, limité à ${most}. Téléchargez-le plutôt.`,
  notAnEmail: ({ text }) =>
    `« ${text} » n’est pas une adresse e-mail. Écrivez-la sous la forme nom@example.org.`,

  wrongSignIn:
    'L’adresse e-mail ou le mot de passe est incorrect. Saisissez de nouveau les deux, ou demandez un nouveau mot de passe.',
  wrongSignInCode: ({ most }) =>
    `Ce code ou ce lien est incorrect, ou a déjà servi. Après ${most} codes incorrects, demandez un nouvel e-mail.`,
  disabled: 'Ce compte est désactivé. Contactez la boutique.',
  passwordChanged:
    'Pendant votre connexion, le mot de passe a été modifié ou le compte désactivé. Connectez-vous de nouveau.',
  signInLater: ({ seconds }) => inSeconds(seconds, 'Trop de tentatives ont échoué.'),
  passwordsLater: 'Trop de personnes se connectent en ce moment. Réessayez dans une seconde.',

  wrongSecondCode:
    'Ce code est incorrect, trop ancien ou déjà utilisé. Saisissez celui que votre application affiche maintenant.',
  secondCodesLater: ({ seconds }) =>
    f.plural(Math.ceil(seconds / 60), {
      one: 'Trop de codes étaient incorrects. Attendez une minute, puis réessayez.',
      other: `Trop de codes étaient incorrects. Attendez ${f.number(Math.ceil(seconds / 60))} minutes, ou utilisez l’autre type de code.`,
    }),
  codeTooLate: 'Le mot de passe a été saisi il y a plus de cinq minutes. Connectez-vous de nouveau.',
  wrongStepPassword: 'Le mot de passe est incorrect. Saisissez-le de nouveau.',

  passwordBlank: 'Le mot de passe est vide. Saisissez-en un.',
  passwordShort: ({ count, fewest }) =>
    f.plural(count, {
      one: `Ce mot de passe est trop court : ${f.number(count)} caractère, il en faut au moins ${f.number(fewest)}. L’idéal : plusieurs mots.`,
      other: `Ce mot de passe est trop court : ${f.number(count)} caractères, il en faut au moins ${f.number(fewest)}. L’idéal : plusieurs mots.`,
    }),
  passwordLong: ({ count, most }) =>
    `Ce mot de passe est trop long : ${f.number(count)} caractères, il en faut au plus ${f.number(most)}.`,
  passwordIsName:
    'Ce mot de passe est trop facile à deviner : c’est votre adresse e-mail ou le nom de la boutique. Choisissez-en un autre, de préférence plusieurs mots.',
  passwordIsCommon:
    'Ce mot de passe est trop facile à deviner : c’est l’un des plus courants. Choisissez-en un autre, de préférence plusieurs mots.',
  wrongCurrent: 'Le mot de passe actuel est incorrect. Saisissez-le de nouveau.',

  emailIsYours: ({ email }) => `« ${email} » est déjà votre adresse. Saisissez-en une autre.`,
  emailUnmailable: ({ email }) =>
    `Aucun e-mail ne peut être envoyé à « ${email} ». Saisissez une autre adresse.`,
  emailWrongPassword: 'Le mot de passe est incorrect. Saisissez-le de nouveau.',
  emailNotTheirs:
    'Saisissez le mot de passe du compte dont l’adresse doit changer. Si la demande ne vient pas de vous, fermez cette page.',
  emailNeedsSignIn: 'Connectez-vous au compte qui a demandé cette adresse, puis ouvrez de nouveau le lien.',
  signInFirst: 'Pour cela, connectez-vous encore une fois, avec un lien par e-mail.',
  wrongPassword: 'Le mot de passe est incorrect. Saisissez-le de nouveau.',
  noSession: 'Cette session est déjà terminée.',
  noAssistant: 'Cet assistant est déjà déconnecté.',

  linkUnusable:
    'Ce lien n’est pas valable : il a déjà servi, a expiré ou ne vient pas d’ici. Connectez-vous si vous avez un compte, ou demandez un nouveau lien à la boutique.',
  linkOfAccount: 'L’adresse de ce lien a déjà un compte. Connectez-vous, puis ouvrez de nouveau le lien.',

  claimsLater: 'Trop d’achats inconnus ont été recherchés. Attendez une minute, puis rechargez la page.',
  cannotClaim: 'Cet achat a déjà été récupéré, ou son adresse a un compte. Connectez-vous.',
  purchaseForgotten:
    'Votre achat remonte à plus d’une heure. Ouvrez le lien de l’e-mail, ou demandez un nouvel envoi.',
  heldByOther: ({ ref, holder }) =>
    `La commande ${ref} est dans la bibliothèque de ${holder}. Connectez-vous à ce compte.`,
  orderGivenBack: ({ ref }) =>
    `La commande ${ref} a été remboursée. Si c’est une erreur, contactez la boutique.`,
  orderDisputed: ({ ref }) =>
    `Le paiement de la commande ${ref} fait l’objet d’un litige. Ouvrez de nouveau le lien une fois celui-ci tranché.`,
  orderOpensNothing: ({ ref }) =>
    `La commande ${ref} ne donne accès à rien pour le moment. Si c’est une erreur, contactez la boutique.`,
  orderIsPresent: ({ ref }) => `La commande ${ref} est devenue un cadeau. Saisissez son code sur /redeem.`,
  notYourPresent:
    'Seul le compte qui a cet achat peut en faire un cadeau. Connectez-vous à ce compte, ou contactez la boutique.',
  presentBefore: ({ ref }) => `La commande ${ref} est déjà un cadeau, ou n’est pas payée.`,

  codeEmpty: 'Saisissez un code.',
  codesLater: ({ seconds }) => inSeconds(seconds, 'Trop de codes étaient incorrects.'),
  code: {
    unknown: 'Ce code n’existe pas ici. Comparez-le avec celui que vous avez reçu.',
    revoked: 'Ce code a été retiré. Adressez-vous à la personne qui vous l’a donné.',
    late: 'Ce code a expiré. Adressez-vous à la personne qui vous l’a donné.',
    used: 'Ce code a été entièrement utilisé. Adressez-vous à la personne qui vous l’a donné.',
    unpaid:
      'L’achat lié à ce code a été remboursé ou a expiré. Adressez-vous à la personne qui vous l’a donné.',
  },
  codeNeedsEmail: 'Saisissez votre adresse e-mail pour créer un compte, par exemple ada@example.org.',
  codeForOthers: 'Votre propre exemplaire est déjà dans votre bibliothèque. Ce code est pour les autres.',
  noMoneyBack:
    'Impossible de demander le remboursement : cette commande n’est pas la vôtre ou n’est pas payée, la garantie a expiré, ou vous l’avez déjà demandé.',
  noCopies: 'Aucune de vos commandes payées ne comprend d’exemplaires pour d’autres.',
  codeOfAccount: 'Cette adresse a déjà un compte. Connectez-vous, puis saisissez de nouveau le code.',

  notForSale: ({ slug }) => `Rien n’est en vente sous le nom « ${slug} ».`,
  noOrder: ({ provider, key }) => `Il n’y a pas de commande ${key} chez ${provider}.`,
};

const request: Words['refusals']['request'] = {
  titles: {
    401: 'Connectez-vous d’abord',
    403: 'Accès refusé',
    404: 'Page introuvable',
    405: 'Méthode non autorisée',
    413: 'Trop volumineux',
    429: 'Trop de requêtes',
    503: 'Momentanément indisponible',
  },
  failed: 'Une erreur s’est produite',
  toShop: 'Tous les livres et skills',

  noPage:
    'Il n’y a pas de page à cette adresse. Tous les livres et skills se trouvent sur la page d’accueil.',
  notFound: ({ name }) =>
    `« ${name} » est introuvable. Tous les livres et skills se trouvent sur la page d’accueil.`,
  noFile: 'Ce fichier est introuvable. Rechargez la page.',
  otherMethod: ({ method, allow }) => `Cette adresse n’accepte pas ${method}, seulement ${allow}.`,
  internal: ({ id }) =>
    `Une erreur interne s’est produite. Le journal de la boutique la décrit sous la requête ${id}.`,
  storage: ({ id }) =>
    `Rien ne peut être enregistré pour le moment. Réessayez plus tard. Le journal de la boutique en donne la cause sous la requête ${id}.`,
  outOfFiles: 'Trop de connexions sont ouvertes en ce moment. Réessayez plus tard.',

  signIn: 'Cette page n’est ouverte qu’aux personnes connectées. Connectez-vous, puis réessayez.',
  foreignForm: ({ origin }) =>
    `Ce formulaire ne vient pas des pages de la boutique. Ouvrez ${origin} et envoyez-le de là.`,
  badTarget:
    'L’adresse contient une barre oblique inversée, des points à la place de dossiers ou un nom d’hôte. Envoyez le chemin seul, avec « %5C » au lieu de « \\\\ ».',
  keyInQuery:
    'Une clé API n’a pas sa place dans une adresse. Envoyez-la sous la forme « Authorization: Bearer svc_… », et révoquez-la si d’autres ont pu voir cette adresse.',

  cutShort: 'La requête est arrivée incomplète.',
  tooSlow: ({ seconds }) =>
    `La requête n’est pas arrivée entière en ${f.number(seconds)} s. Envoyez-la plus vite.`,
  tooLarge: ({ kib }) => `La requête dépasse ${f.number(kib)} KiB. Envoyez-en une plus courte.`,
  bodiesLater: 'Trop de requêtes de cette taille arrivent en ce moment. Renvoyez la vôtre.',
  manyFields: ({ most }) =>
    `Ce formulaire a plus de ${f.number(most)} champs. Envoyez-le depuis la page à laquelle il appartient.`,
  noForm: 'Ce formulaire est illisible. Envoyez-le depuis la page à laquelle il appartient.',

  addressLater: ({ limit, seconds, wait }) =>
    `Plus de ${f.number(limit)} requêtes en ${f.number(seconds)} s sont venues de cette adresse. Attendez ${f.number(wait)} s.`,
  accountLater: ({ limit, seconds, wait }) =>
    `Plus de ${f.number(limit)} requêtes en ${f.number(seconds)} s sont venues de ce compte. Attendez ${f.number(wait)} s.`,
  questionsAtOnce: ({ most }) =>
    f.plural(most, {
      one: `Un compte ne peut poser que ${f.number(most)} question à la fois. Attendez qu’elle ait sa réponse.`,
      other: `Un compte ne peut poser que ${f.number(most)} questions à la fois. Attendez que l’une ait sa réponse.`,
    }),
  filesAtOnce: 'Un compte ne peut enregistrer qu’un fichier à la fois. Attendez que le premier soit terminé.',
  listsAtOnce: ({ most }) =>
    f.plural(most, {
      one: `Un compte ne peut charger que ${f.number(most)} longue liste à la fois. Attendez qu’elle soit terminée.`,
      other: `Un compte ne peut charger que ${f.number(most)} longues listes à la fois. Attendez que l’une soit terminée.`,
    }),
  downloadsLater: 'Trop de téléchargements sont en cours. Réessayez quand certains seront terminés.',
  searchesAtOnce: ({ most }) =>
    f.plural(most, {
      one: `Seule ${f.number(most)} recherche est possible à la fois. Attendez qu’elle soit terminée.`,
      other: `Seules ${f.number(most)} recherches sont possibles à la fois. Attendez que l’une soit terminée.`,
    }),
};

const badName = ({ most }: { most: number }): string =>
  `Ce nom ne convient pas. Donnez de 1 à ${f.number(most)} caractères, sans saut de ligne.`;

const library: Words['refusals']['library'] = {
  key: {
    notFound: ({ id }) => `Vous n’avez pas de clé « ${id} ». Rouvrez la liste de vos clés.`,
    badName,
    full: ({ most }) => `Vous avez déjà ${f.number(most)} clés actives. Révoquez-en d’abord une.`,
    sentBefore:
      'Ce formulaire a déjà été envoyé : aucune clé n’a été créée cette fois. Si la clé de la liste n’est pas celle que vous avez copiée, révoquez-la et renvoyez le formulaire.',
  },
  token: {
    notFound: ({ id }) => `Vous n’avez pas de lien « ${id} ». Rouvrez la liste de vos liens.`,
    badName,
    full: ({ most }) => `Vous avez déjà ${f.number(most)} liens actifs. Révoquez-en d’abord un.`,
    sentBefore:
      'Ce formulaire a déjà été envoyé : aucun lien n’a été créé cette fois. Si le lien de la liste n’est pas celui que vous avez copié, révoquez-le et renvoyez le formulaire.',
    unknown:
      'Ce lien n’ouvre rien : il est mal recopié, révoqué ou expiré. La personne qui l’a créé peut en créer un autre sur la page /dashboard/connect.',
  },
  noTerm: ({ text }) =>
    `« ${text} » n’est pas une durée valable. Donnez un nombre de jours de 1 à 9999, ou « never » pour une durée illimitée.`,
  notHeld: 'Ce titre n’est plus dans votre bibliothèque. Choisissez-en un autre.',
  unknownKey: ({ key }) => `Il n’y a pas de clé « ${key} ». Choisissez-en une dans la liste.`,
  noTime: ({ text }) =>
    `« ${text} » n’est pas une date. Écrivez par exemple 2026-11-20 ou 2026-11-20T14:30:00Z.`,
};

export const refusals: Words['refusals'] = {
  account,
  request,
  library,
  reading: {
    noFile: ({ path, slug, page }) =>
      `« ${path} » est introuvable dans « ${slug} ». Ses fichiers sont listés ici : ${page}`,
    cannot: ({ action, slug, wasSold }) =>
      `Vous ne pouvez pas ${VERBS[action]} « ${slug} »${wasSold ? ' dans la version vendue' : ''}`,
    notYours: ({ cannot, remedy }) => `${cannot} : ce titre n’est pas dans votre bibliothèque. ${remedy}`,
    notYet: ({ expected }) => `Il n’est pas encore paru${expected === null ? '' : ` (prévu : ${expected})`}.`,
    free: ({ slug }) => `Il est gratuit : installez-le depuis /api/install/${slug}`,
    buyAt: ({ price, url }) => `Achetez-le pour ${price} ici : ${url}`,
    buyFrom: ({ price, contact }) => `Pour l’acheter (${price}), écrivez à ${contact}`,
    buyOf: ({ price, publisher }) => `Pour l’acheter (${price}), adressez-vous à l’éditeur, ${publisher}`,
    orConfirm: ({ url, remedy }) =>
      `S’il a été acheté avec l’adresse de ce compte, ou si l’accès a été donné à cette adresse, il sera disponible une fois celle-ci confirmée ici : ${url}. ${remedy}`,
    notPublished: ({ slug }) => `« ${slug} » n’est pas encore paru : sa page indique quand il est attendu`,
    noText: ({ slug }) => `« ${slug} » ne peut pas être interrogé : ce livre ne contient aucun texte.`,
    unproven: ({ slug }) =>
      `Impossible de prouver des citations de « ${slug} » : son éditeur ne les a pas signées.`,
    proofsLater: ({ most }) =>
      `Pas plus de ${most} preuves de livres payants par heure. Réessayez plus tard.`,
    sessionEnded: ({ slug }) =>
      `Impossible de continuer avec « ${slug} » : votre session est terminée. Connectez-vous de nouveau.`,
    stopped: 'La réponse s’est interrompue avant la fin. Posez de nouveau la question.',
    tokensSpent: 'Toutes les questions au modèle sont épuisées pour aujourd’hui. Revenez après minuit (UTC).',
    questionsSpent: ({ most }) =>
      `Le modèle ne répond pas à plus de ${f.number(most)} questions par jour. Revenez après minuit (UTC).`,
    epubFailed: ({ slug }) =>
      `L’EPUB de « ${slug} » n’a pas pu être créé. Réessayez plus tard, et prévenez la boutique.`,
    epubEmpty: ({ slug }) => `« ${slug} » n’a pas d’EPUB, car il n’a pas de chapitres. Installez-le plutôt.`,
    epubBusy: 'Trop d’EPUB sont en cours de création. Réessayez dans une minute.',
    reports: {
      many: ({ most }) =>
        `Vous avez déjà ${f.number(most)} messages en attente. Attendez que l’auteur en ait traité.`,
      noQuestion: ({ most }) =>
        `Cette question ne peut pas être envoyée : il lui faut de 1 à ${f.number(most)} caractères. Posez-la au livre, puis envoyez-la de là.`,
    },
    notes: {
      noPage:
        'Impossible de continuer ici : la note a été supprimée, ou son livre n’est plus accessible. Rouvrez vos notes.',
      noText: ({ path }) => `Le livre n’a pas de texte « ${path} ».`,
      noWords: ({ most }) =>
        `Ces mots ne peuvent pas être gardés : une note porte sur 1 à ${f.number(most)} caractères d’un même texte. Choisissez-en d’autres.`,
      noNote: 'Cette note est introuvable : elle a été supprimée, ou n’est pas à vous.',
      many: ({ most }) =>
        `Un livre ne peut pas avoir plus de ${f.number(most)} notes. Supprimez-en d’abord quelques-unes.`,
      full: ({ megabytes }) =>
        `Vos notes ne peuvent pas dépasser ${f.number(megabytes)} Mo. Supprimez-en d’abord quelques-unes.`,
      tooLong: ({ most }) => `Une note ne peut pas dépasser ${f.number(most)} caractères. Raccourcissez-la.`,
      newEdition:
        'Le livre a une nouvelle édition. Rechargez la page, puis sélectionnez de nouveau ces mots.',
      noPlace: 'Ces mots sont introuvables dans le texte. Sélectionnez-en d’autres.',
    },
    model: {
      cut: 'Le serveur du modèle a coupé la réponse. Posez de nouveau la question.',
      gaveUp: 'Le serveur du modèle a abandonné la réponse. Posez de nouveau la question.',
      overloaded: 'Le modèle est surchargé. Reposez la question dans un moment.',
      refused: 'Le modèle n’accepte pas de questions pour le moment. Prévenez la boutique.',
      questionTooLong: 'La question est trop longue pour le modèle. Raccourcissez-la.',
      promptTooLong:
        'La question et les passages sont trop longs pour le modèle. Posez une question plus courte, ou prévenez la boutique.',
      unreachable: 'Le modèle est injoignable pour le moment. Réessayez un peu plus tard.',
      late: 'Le modèle met trop de temps à répondre. Reposez la question, ou précisez-la.',
      busy: 'Le modèle répond déjà à autant de questions qu’il le peut. Réessayez dans un instant.',
      otherProtocol: 'La réponse du modèle est illisible. Prévenez la boutique.',
      noJson: 'La réponse du modèle est illisible. Posez de nouveau la question.',
      noEnd: 'La réponse du modèle est illisible.',
      reasoning: 'Le modèle a mêlé son raisonnement à la réponse. Posez de nouveau la question.',
      promptCut: 'Cette réponse n’est pas fiable : le modèle n’a pas tout lu. Prévenez la boutique.',
    },
  },
};
