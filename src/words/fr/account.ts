import type { Words } from '../words.ts';

export const yours: Words['account']['yours'] = {
  othersByMail: ({ left }) =>
    left === 1
      ? 'Un autre exemplaire est pour quelqu’un d’autre. Transmettez le lien reçu par e-mail, ou créez-en un nouveau ici.'
      : `${left} autres exemplaires sont pour d’autres personnes. Transmettez le lien reçu par e-mail, ou créez-en un nouveau ici.`,
  othersByLink: ({ left }) =>
    left === 1
      ? 'Un autre exemplaire est pour quelqu’un d’autre. Créez un lien ici et transmettez-le.'
      : `${left} autres exemplaires sont pour d’autres personnes. Créez un lien ici et transmettez-le.`,
  title: 'C’est dans votre bibliothèque',
  read: 'Lire maintenant',
  epub: 'Télécharger l’EPUB',
  zip: 'Télécharger en ZIP',
  agent: 'Dans votre agent',
  agentNote:
    'Votre agent peut lire et interroger votre bibliothèque, et y faire des recherches. Il lui faut une clé, qui n’est affichée qu’une fois.',
  makeKey: 'Créer une clé',
  keyName: 'Mon agent',
  lines: 'Les instructions pour chaque agent',
  order: ({ order }) => `Commande ${order}.`,
  password: (link) => [
    'Aucun mot de passe n’est nécessaire ici. Pour revenir avec un mot de passe, ',
    link('choisissez-le maintenant'),
    '.',
  ],
  stays: (library) => ['Vous le retrouverez à tout moment dans ', library('votre bibliothèque'), '.'],
  staysWithReceipt: ({ provider, library, receipt }) => [
    'Vous le retrouverez à tout moment dans ',
    library('votre bibliothèque'),
    ', et ',
    receipt('le reçu'),
    ` chez ${provider}.`,
  ],
};

const signIn: Words['account']['signIn'] = {
  title: 'Se connecter',
  password: 'Mot de passe',
  toAsk: ({ title }) =>
    `Une fois connectée, toute personne qui a un compte ici peut poser une question à « ${title} » et recevoir une réponse tirée de ses pages.`,
  toAskOwned: ({ title }) =>
    `Une fois connectés, les lecteurs qui ont « ${title} » peuvent lui poser une question et recevoir une réponse tirée de ses pages.`,
  notByProxy:
    'Vous vous connectez ici par votre organisation, et elle n’a indiqué personne pour cette page. Rechargez-la dans un navigateur à jour ; si cela ne suffit pas, contactez la boutique.',
  forgot: 'Mot de passe oublié ?',
  mailLink: 'M’envoyer un lien de connexion',
  noAccount: (link) => ['Pas encore de compte ? ', link('Créez-en un'), '.'],
  bought: ({ find, redeem: enter }) => [
    'Déjà acheté quelque chose ici ? ',
    find('Retrouvez votre achat'),
    ' ou ',
    enter('utilisez un code'),
    '.',
  ],
  anythingElse: 'Une autre question ?',
  noWayIn: 'Pas encore de compte, ou mot de passe oublié ?',
  ask: 'Contactez la boutique.',
  askAt: ({ contact }) => ['Contactez la boutique : ', contact, '.'],
};

const secondStep: Words['account']['secondStep'] = {
  title: 'Saisir le code',
  code: 'Code',
  hint: 'Six chiffres donnés par l’application de votre téléphone, ou un code de secours',
  cancel: 'Annuler',
};

const links: Words['account']['links'] = {
  '/set-up': {
    title: 'Mettre en place la boutique',
    lead: 'Vous en devenez propriétaire : vous ajoutez des comptes, donnez accès aux titres et consultez les journaux.',
    button: 'Devenir propriétaire',
  },
  '/invite': {
    title: 'Bienvenue',
    lead: 'Choisissez un mot de passe pour ouvrir votre bibliothèque.',
    button: 'Enregistrer et se connecter',
  },
  '/reset': {
    title: 'Choisir un nouveau mot de passe',
    lead: 'Tous vos autres navigateurs seront déconnectés. Vos clés restent valables, sauf si votre adresse n’avait encore jamais été confirmée.',
    button: 'Enregistrer et se connecter',
  },
  '/open': {
    title: 'Créer votre compte',
    lead: 'Choisissez un mot de passe : votre compte sera alors créé.',
    button: 'Créer et se connecter',
  },
  demo: {
    title: 'La gestion de cette démo',
    lead: 'Voyez ce que voit un éditeur : commandes, lecteurs et chiffres. Au prochain démarrage de la boutique, cet accès prend fin et un nouveau lien est créé.',
    button: 'Ouvrir la gestion',
  },
  isFor: ({ email }) => ['Pour ', email, '.'],
  goOn: 'Continuer',
  code: 'Code du lien',
  codeHint: 'La partie qui suit # dans l’adresse que vous avez reçue',
};

const signInLink: Words['account']['signInLink'] = {
  title: 'Se connecter avec un lien',
  lead: 'Ouvrez le lien de l’e-mail dans ce navigateur. Ouvert dans un autre, il y affiche un code : saisissez-le ici.',
  code: 'Code',
  hint: 'Huit lettres et chiffres',
  elsewhere: 'Saisissez ce code là où vous l’avez demandé',
  elsewhereLead:
    'Un autre navigateur a demandé à se connecter : saisissez-y ce code. Si ce n’était pas vous, fermez cette page et ne donnez le code à personne.',
};

const newEmail: Words['account']['newEmail'] = {
  title: 'Confirmer votre nouvelle adresse',
  lead: 'Vous vous connecterez désormais avec elle. Vos autres navigateurs seront déconnectés.',
  password: 'Votre mot de passe',
  passwordHint: 'Celui du compte pour lequel cette adresse a été demandée',
  button: 'Utiliser cette adresse',
  changed: 'Adresse modifiée',
  changedLead: ({ email }) => `Connectez-vous avec ${email} et votre mot de passe actuel.`,
};

const requests: Words['account']['requests'] = {
  '/forgot': {
    title: 'Mot de passe oublié ?',
    lead: 'Saisissez l’adresse de votre compte. Vous y recevrez un lien pour choisir un nouveau mot de passe.',
    sent: 'Si un compte existe à cette adresse, le lien est en route. Vous pouvez le demander trois fois par heure.',
  },
  '/sign-up': {
    title: 'Créer un compte',
    lead: 'Saisissez votre adresse. Vous y recevrez un lien ; votre compte sera créé quand vous l’ouvrirez et choisirez un mot de passe.',
    sent: 'Un lien est en route vers cette adresse. Vous pouvez le demander trois fois par heure.',
  },
  '/sign-in/mail': {
    title: 'Se connecter par e-mail',
    lead: 'Saisissez l’adresse de votre compte. Un lien qui vous connecte y est envoyé ; il fonctionne pendant 30 minutes.',
    sent: 'Si cette adresse a un compte, un lien est en route. Vous pouvez en demander trois par heure.',
  },
  button: 'Recevoir un lien',
};

const subscribe: Words['account']['subscribe'] = {
  news: {
    title: 'Les nouveautés de la boutique',
    hint: 'Ce qu’il y a de nouveau ici, par e-mail. Un clic y met fin.',
    button: 'S’abonner',
    confirmed: 'Vous recevrez désormais les nouveautés',
    confirmedLead: 'Un lien dans chaque e-mail y met fin.',
  },
  told: {
    title: 'Savoir quand il paraît',
    hint: 'Un seul e-mail, à la parution. Votre adresse est ensuite effacée.',
    button: 'M’avertir',
    confirmed: 'Nous vous avertirons',
    confirmedLead: 'Vous recevrez un e-mail à la parution. Votre adresse sera ensuite effacée.',
  },
  sent: {
    title: 'Consultez votre messagerie',
    lead: 'Si nous pouvons écrire à cette adresse, un lien y est en route. Ouvrez-le dans les 7 jours ; d’ici là, vous ne recevrez rien d’autre.',
  },
  confirm: {
    title: 'Confirmer votre adresse',
    lead: 'La boutique pourra alors vous envoyer l’e-mail que vous avez demandé.',
    button: 'Confirmer',
  },
};

const news: Words['account']['news'] = {
  title: 'Ne plus recevoir les nouveautés',
  lead: 'Vous ne recevrez plus de nouveautés à cette adresse, pas même au sujet des titres que vous possédez ou avez achetés.',
  button: 'Se désabonner',
  ended: 'Désabonnement effectué',
  endedLead:
    'Vous ne recevrez plus de nouveautés à cette adresse. Si un compte y est associé, vous pouvez vous réabonner sur la page du compte.',
};

const redeem: Words['account']['redeem'] = {
  title: 'Utiliser un code',
  lead: 'Saisissez un code pour obtenir un livre, un skill ou un pack.',
  opens: ({ items }) => ['Ce code donne accès à ', items, '.'],
  makeAccount: (link) => [
    'Créez un compte pour en profiter, ou ',
    link('connectez-vous'),
    ' si vous en avez déjà un : le code est conservé.',
  ],
  account: 'Créer un compte',
  code: 'Code',
  codeHint: 'Par exemple svg_ABCDE-FGHJK-… ; les majuscules et les tirets ne comptent pas',
  accountAndGet: 'Créer un compte et l’obtenir',
  goOn: 'Continuer',
  addTo: ({ email }) => `Ajouter à ${email}`,
};

const claim: Words['account']['claim'] = {
  waitingFor: ({ provider }) => `En attente de ${provider}`,
  yours: 'Votre achat',
  find: 'Retrouver un achat',
  sentAgain:
    'S’il y a ici un achat à cette adresse, son e-mail est en route. Vous pouvez le demander trois fois par heure.',
  late: 'Cette page ne permet de récupérer un achat que pendant 24 heures. Ouvrez le lien de l’e-mail, ou demandez ci-dessous un nouvel envoi.',
  refunded: 'Cet achat a été remboursé : il ne donne plus accès à rien.',
  given: 'Cet achat est un cadeau : son code s’utilise sur la page « Utiliser un code ».',
  claimed: ({ holder }) =>
    holder === ''
      ? 'Cet achat est dans la bibliothèque d’un autre compte. Connectez-vous à ce compte pour le lire.'
      : `Cet achat est dans la bibliothèque de ${holder}. Connectez-vous à ce compte pour le lire.`,
  signIn: 'Se connecter',
  notYours: 'Ce n’est pas votre adresse ?',
  notYoursNote: ({ contact, order }) => [
    'Si vous l’avez mal saisie en payant, connectez-vous ici à votre propre compte, ou écrivez à ',
    contact ?? 'la boutique',
    ` depuis votre adresse en indiquant le numéro de commande ${order}.`,
  ],
  paidOrder: ({ ref }) => `Payée. Commande ${ref}`,
  refundedOrder: ({ ref }) => `Remboursée. Commande ${ref}`,
  add: 'Ajouter l’achat',
  addTo: ({ email }) => `Ajouter à ${email}`,
  known: ({ holder }) => `${holder} a déjà un compte ici : connectez-vous pour y ajouter cet achat.`,
  signInToAdd: 'Connectez-vous pour l’ajouter à votre compte.',
  others: ({ count }) =>
    count === 1
      ? 'Vous avez acheté deux exemplaires : l’un est pour votre bibliothèque, et la page suivante donne un lien pour l’autre.'
      : `Vous avez acheté ${count + 1} exemplaires : l’un est pour votre bibliothèque, et la page suivante donne un lien pour les ${count} autres.`,
  waits: ({ provider }) =>
    `${provider} nous informe de votre paiement, en général en quelques secondes. Cette page s’actualise toute seule.`,
  waitsLong: ({ contact, end }) => [
    'C’est plus long que d’habitude. Votre achat n’est pas perdu : son e-mail part dès que nous avons connaissance du paiement. S’il n’arrive pas, écrivez à ',
    contact ?? 'la boutique',
    ' en indiquant la référence qui se termine par ',
    end,
    '.',
  ],
  forSomebody: 'C’est pour quelqu’un d’autre ?',
  presentNote:
    'Vous recevez un code à transmettre. La personne qui le saisit obtient l’achat, et vous n’y avez plus accès.',
  present: 'En faire un cadeau',
  presentTitle: 'Un cadeau',
  presentOpens: ({ items }) => ['La première personne qui saisit ce code obtient ', items, '.'],
  enterAt: ({ url }) => `À saisir sur ${url} ; ce code n’est affiché qu’une fois`,
  keepCode: ({ order }) =>
    `Conservez-le jusqu’à ce qu’il soit utilisé. S’il se perd, demandez-en un autre à la boutique en indiquant le numéro de commande ${order}.`,
  toMail: (link) => [
    'Vous avez un e-mail de la boutique ? ',
    link('Utilisez son lien, ou demandez un nouvel envoi'),
  ],
  link: 'Le lien que vous avez reçu',
  byLink: 'Avec le lien que vous avez reçu',
  boughtWith: ({ email }) => ['Acheté avec l’adresse ', email, '.'],
  open: 'L’ajouter à ma bibliothèque',
  hasAccount: ({ email }) => [
    email,
    ' a déjà un compte ici. Connectez-vous, puis ouvrez de nouveau le lien de l’e-mail.',
  ],
  gumroad: 'Acheté sur Gumroad ?',
  byLicenseKey: 'Avec la clé de licence',
  licenseKey: 'Clé de licence',
  licenseKeyHint: 'Elle figure sur le reçu de Gumroad',
  findMine: 'Retrouver mon achat',
  noMail:
    'Pas de lien ? Cette boutique n’envoie pas d’e-mails : contactez-la en indiquant votre numéro de commande.',
  noMailAsk: ({ contact }) => [
    'Pas de lien ? Cette boutique n’envoie pas d’e-mails : contactez-la (',
    contact,
    ') en indiquant votre numéro de commande.',
  ],
  address: 'Votre adresse',
  addressNote:
    'L’e-mail envoyé après votre achat permet de l’ouvrir. Pour le recevoir de nouveau, saisissez l’adresse que vous avez donnée en payant.',
  sendAgain: 'Renvoyer l’e-mail',
};

const demo: Words['account']['demo'] = {
  pretended: ({ provider }) =>
    `${provider} est fictif : aucune carte n’est demandée, et aucun argent ne circule.`,
  pay: 'Payer',
  emailHint:
    'Lors d’un vrai paiement, c’est l’acheteur qui la saisit. Ici, n’importe quelle adresse convient',
  payPrice: ({ price }) => `Payer ${price} (fictif)`,
  receipt: 'Reçu',
  givenBack: 'La commande a été remboursée. L’acheteur ne peut plus lire.',
  paid: ({ price, at }) => [`${price}, le `, at],
  refund: 'Remboursement',
  refundNote: 'L’acheteur ne peut plus lire, comme après un vrai remboursement.',
  giveBack: 'Rembourser',
  back: 'Retour à la boutique',
};

const said: Words['account']['said'] = {
  'book-mailed': 'Le livre est en route. Il peut mettre quelques minutes à apparaître sur votre liseuse.',
  'note-sent': 'Envoyée à l’auteur. S’il répond, sa réponse s’affichera ici.',
  'news-begun':
    'Vous recevrez désormais par e-mail, au plus une fois par jour, ce qu’il y a de nouveau dans vos titres.',
  'news-ended': 'Les nouveautés sont désactivées. Vous recevrez tout au plus les annonces de l’éditeur.',
  'agent-link-revoked': 'Lien révoqué. Les agents qui s’en servent encore n’y trouvent plus rien.',
  'key-revoked': 'Clé révoquée. Les programmes qui s’en servent encore sont refusés (401).',
  'password-changed':
    'Mot de passe modifié. Toutes les autres sessions sont terminées ; vos clés API restent valables.',
  'email-asked':
    'Si la nouvelle adresse peut être utilisée, un lien y est en route. Rien ne change tant qu’il n’est pas ouvert, dans les 24 heures.',
  'email-changed':
    'Votre adresse a été modifiée. Toutes les autres sessions sont terminées ; vos clés API restent valables.',
  'places-kept': 'La boutique retient désormais où vous en êtes de vos lectures.',
  'places-forgotten': 'La boutique a effacé vos positions de lecture et ne les retient plus.',
  'assistant-ended': 'Déconnecté. L’assistant devra se reconnecter.',
  'assistant-saved': 'Enregistré. Cela vaut dès votre prochaine conversation.',
  'session-ended': 'Session terminée.',
  'sessions-ended': 'Toutes les autres sessions sont terminées.',
};

export const account: Words['account'] = {
  yours,
  signIn,
  signInLink,
  secondStep,
  links,
  newEmail,
  requests,
  subscribe,
  news,
  redeem,
  claim,
  demo,
  said,
};
