import type { Words } from '../words.ts';

export const yours: Words['account']['yours'] = {
  othersByMail: ({ left }) =>
    left === 1
      ? 'Otro ejemplar es para otra persona. Comparta el enlace de su correo o cree aquí uno nuevo.'
      : `Otros ${left} ejemplares son para otras personas. Comparta el enlace de su correo o cree aquí uno nuevo.`,
  othersByLink: ({ left }) =>
    left === 1
      ? 'Otro ejemplar es para otra persona. Cree aquí un enlace y compártalo.'
      : `Otros ${left} ejemplares son para otras personas. Cree aquí un enlace y compártalo.`,
  title: 'Ya está en su biblioteca',
  read: 'Leer ahora',
  epub: 'Descargar EPUB',
  zip: 'Descargar en ZIP',
  agent: 'En su agente',
  agentNote:
    'Su agente puede leer sus libros y skills, buscar en ellos y hacerles preguntas. Necesita una clave, que se muestra una sola vez.',
  makeKey: 'Crear una clave',
  keyName: 'Mi agente',
  lines: 'Instrucciones para cada agente',
  order: ({ order }) => `Pedido ${order}.`,
  password: (link) => ['Aquí no hace falta contraseña. Para volver con una, ', link('elíjala ahora'), '.'],
  stays: (library) => ['Lo encontrará siempre en ', library('su biblioteca'), '.'],
  staysWithReceipt: ({ provider, library, receipt }) => [
    'Lo encontrará siempre en ',
    library('su biblioteca'),
    ', y ',
    receipt('el recibo'),
    `, en ${provider}.`,
  ],
};

const signIn: Words['account']['signIn'] = {
  title: 'Iniciar sesión',
  password: 'Contraseña',
  toAsk: ({ title }) =>
    `Con la sesión iniciada, cualquiera que tenga una cuenta aquí puede hacer una pregunta a «${title}» y recibir una respuesta sacada de sus páginas.`,
  toAskOwned: ({ title }) =>
    `Con la sesión iniciada, quienes tienen «${title}» pueden hacerle una pregunta y recibir una respuesta sacada de sus páginas.`,
  notByProxy:
    'A esta tienda se entra con el inicio de sesión de su organización, que no ha identificado a nadie para esta página. Vuelva a cargarla en un navegador actualizado; si no funciona, escriba a la tienda.',
  forgot: '¿Olvidó su contraseña?',
  mailLink: 'Enviarme un enlace para iniciar sesión',
  noAccount: (link) => ['¿Aún no tiene cuenta? ', link('Cree una'), '.'],
  bought: ({ find, redeem: enter }) => [
    '¿Compró algo aquí? ',
    find('Recupere su compra'),
    ' o ',
    enter('canjee un código'),
    '.',
  ],
  anythingElse: '¿Necesita algo más?',
  noWayIn: '¿No tiene cuenta u olvidó su contraseña?',
  ask: 'Escriba a la tienda.',
  askAt: ({ contact }) => ['Escriba a la tienda: ', contact, '.'],
};

const secondStep: Words['account']['secondStep'] = {
  title: 'Escriba el código',
  code: 'Código',
  hint: 'Seis dígitos de la aplicación de su teléfono, o un código de recuperación',
  cancel: 'Cancelar',
};

const links: Words['account']['links'] = {
  '/set-up': {
    title: 'Configurar esta tienda',
    lead: 'Esta tienda pasa a ser suya: podrá añadir cuentas, dar acceso a títulos y ver los registros.',
    button: 'Configurar la tienda',
  },
  '/invite': {
    title: 'Le damos la bienvenida',
    lead: 'Elija una contraseña para abrir su biblioteca.',
    button: 'Guardar y entrar',
  },
  '/reset': {
    title: 'Elegir una contraseña nueva',
    lead: 'Se cerrará la sesión en todos los demás navegadores. Sus agentes seguirán leyendo, salvo si su dirección nunca se había confirmado.',
    button: 'Guardar y entrar',
  },
  '/open': {
    title: 'Abrir su cuenta',
    lead: 'Elija una contraseña y se creará su cuenta.',
    button: 'Crear cuenta y entrar',
  },
  demo: {
    title: 'La oficina de esta demostración',
    lead: 'Vea lo que ve una editorial: pedidos, lectores y cifras. Cuando la tienda vuelva a arrancar, este acceso terminará y habrá un enlace nuevo.',
    button: 'Abrir la oficina',
  },
  isFor: ({ email }) => ['Para ', email, '.'],
  goOn: 'Continuar',
  code: 'Código del enlace',
  codeHint: 'La parte que sigue a # en la dirección que recibió',
};

const signInLink: Words['account']['signInLink'] = {
  title: 'Iniciar sesión con un enlace',
  lead: 'Abra el enlace del correo en este navegador. Si lo abre en otro, allí se muestra un código: escríbalo aquí.',
  code: 'Código',
  hint: 'Ocho letras y cifras',
  elsewhere: 'Escriba este código donde lo pidió',
  elsewhereLead:
    'Otro navegador pidió iniciar sesión: escriba el código allí. Si no fue usted, cierre esta página y no dé el código a nadie.',
};

const newEmail: Words['account']['newEmail'] = {
  title: 'Confirme su nueva dirección',
  lead: 'Después iniciará sesión con ella. Se cerrará la sesión en sus demás navegadores.',
  password: 'Su contraseña',
  passwordHint: 'La de la cuenta para la que se pidió esta dirección',
  button: 'Usar esta dirección',
  changed: 'Dirección cambiada',
  changedLead: ({ email }) => `Inicie sesión con ${email} y la contraseña que ya tiene.`,
};

const requests: Words['account']['requests'] = {
  '/forgot': {
    title: '¿Olvidó su contraseña?',
    lead: 'Escriba la dirección de su cuenta. Recibirá en ella un enlace para elegir una contraseña nueva.',
    sent: 'Si esta dirección tiene una cuenta, el enlace ya va en camino. Puede pedirlo tres veces por hora.',
  },
  '/sign-up': {
    title: 'Crear una cuenta',
    lead: 'Escriba su dirección. Recibirá en ella un enlace; su cuenta se creará cuando lo abra y elija una contraseña.',
    sent: 'El enlace va en camino a esta dirección. Puede pedirlo tres veces por hora.',
  },
  '/sign-in/mail': {
    title: 'Iniciar sesión por correo',
    lead: 'Escriba la dirección de su cuenta. Recibirá en ella un enlace que inicia su sesión; funciona durante 30 minutos.',
    sent: 'Si esta dirección tiene una cuenta, el enlace está en camino. Puede pedirse tres veces por hora.',
  },
  button: 'Enviar enlace',
};

const subscribe: Words['account']['subscribe'] = {
  news: {
    title: 'Novedades de esta tienda',
    hint: 'Lo nuevo de esta tienda, por correo. Para dejar de recibirlo basta un clic.',
    button: 'Recibir novedades',
    confirmed: 'A partir de ahora recibirá las novedades',
    confirmedLead: 'Cada correo lleva un enlace para dejar de recibirlas.',
  },
  told: {
    title: 'Recibir aviso cuando se publique',
    hint: 'Un solo correo cuando esté disponible. Después olvidaremos su dirección.',
    button: 'Avíseme',
    confirmed: 'Recibirá el aviso',
    confirmedLead: 'Recibirá un correo cuando se publique. Después olvidaremos su dirección.',
  },
  sent: {
    title: 'Revise su correo',
    lead: 'Si podemos escribir a esta dirección, el enlace ya va en camino. Ábralo en un plazo de 7 días; hasta entonces no recibirá nada más.',
  },
  confirm: {
    title: 'Confirme su dirección',
    lead: 'Después, la tienda podrá enviarle los correos que pidió.',
    button: 'Confirmar',
  },
};

const news: Words['account']['news'] = {
  title: 'Dejar de recibir novedades',
  lead: 'Dejará de recibir novedades en esta dirección, incluso sobre lo que tiene o ha comprado.',
  button: 'Darse de baja',
  ended: 'Novedades canceladas',
  endedLead:
    'Ya no recibirá novedades en esta dirección. Si tiene una cuenta, puede volver a activarlas en la página de la cuenta.',
};

const redeem: Words['account']['redeem'] = {
  title: 'Canjear un código',
  lead: 'Con un código se obtiene un libro, una skill o un paquete.',
  opens: ({ items }) => ['Con este código obtiene ', items, '.'],
  makeAccount: (link) => [
    'Cree una cuenta para conservarlo o ',
    link('inicie sesión'),
    ' si ya tiene una: el código no se pierde.',
  ],
  account: 'Crear una cuenta',
  code: 'Código',
  codeHint: 'Por ejemplo, svg_ABCDE-FGHJK-…; no importan las mayúsculas ni los guiones',
  accountAndGet: 'Crear cuenta y canjear',
  goOn: 'Continuar',
  addTo: ({ email }) => `Añadir a ${email}`,
};

const claim: Words['account']['claim'] = {
  waitingFor: ({ provider }) => `Esperando a ${provider}`,
  yours: 'Su compra',
  find: 'Recuperar su compra',
  sentAgain:
    'Si esta dirección tiene una compra aquí, el correo ya va en camino. Puede pedirlo tres veces por hora.',
  late: 'En esta página solo se puede añadir una compra durante 24 horas. Use el enlace del correo o pida abajo que se lo enviemos otra vez.',
  refunded: 'El dinero de esta compra se devolvió: ya no da acceso a nada.',
  given: 'Esta compra es un regalo: quien tiene el código lo canjea en /redeem.',
  claimed: ({ holder }) =>
    holder === ''
      ? 'La compra está en la biblioteca de otra cuenta. Inicie sesión con ella para leer.'
      : `La compra está en la biblioteca de ${holder}. Inicie sesión con esa cuenta para leer.`,
  signIn: 'Iniciar sesión',
  notYours: '¿No es su dirección?',
  notYoursNote: ({ contact, order }) => [
    'Si al pagar se escribió mal, inicie sesión con su propia cuenta o escriba a ',
    contact ?? 'la tienda',
    ` desde su propia dirección e indique el número de pedido ${order}.`,
  ],
  paidOrder: ({ ref }) => `Pagado. Pedido ${ref}`,
  refundedOrder: ({ ref }) => `Reembolsado. Pedido ${ref}`,
  add: 'Añadir la compra',
  addTo: ({ email }) => `Añadir a ${email}`,
  known: ({ holder }) => `${holder} tiene una cuenta aquí: inicie sesión para añadir la compra.`,
  signInToAdd: 'Inicie sesión para añadir la compra a su cuenta.',
  others: ({ count }) =>
    count === 1
      ? 'Compró dos ejemplares: uno es para su biblioteca y la página siguiente tiene un enlace para el otro.'
      : `Compró ${count + 1} ejemplares: uno es para su biblioteca y la página siguiente tiene un enlace para los otros ${count}.`,
  waits: ({ provider }) =>
    `${provider} nos comunica su pago, normalmente en unos segundos. Esta página se actualiza sola.`,
  waitsLong: ({ contact, end }) => [
    'Tarda más de lo habitual. Su compra no se ha perdido: recibirá el correo en cuanto se confirme el pago. Si no llega, escriba a ',
    contact ?? 'la tienda',
    ' e indique la referencia que termina en ',
    end,
    '.',
  ],
  forSomebody: '¿Es para otra persona?',
  presentNote:
    'Recibirá un código para regalar. Quien lo canjee se quedará con la compra, y usted dejará de tenerla.',
  present: 'Es un regalo',
  presentTitle: 'Un regalo',
  presentOpens: ({ items }) => ['La primera persona que canjee este código obtendrá ', items, '.'],
  enterAt: ({ url }) => `Se canjea en ${url}; solo se muestra esta vez`,
  keepCode: ({ order }) =>
    `Guárdelo hasta que se use. Si se pierde, pida otro a la tienda e indique el número de pedido ${order}.`,
  toMail: (link) => [
    '¿Recibió un correo de esta tienda? ',
    link('Use su enlace o pida que se lo enviemos otra vez'),
  ],
  link: 'El enlace que recibió',
  byLink: 'Con el enlace que recibió',
  boughtWith: ({ email }) => ['Se compró con ', email, '.'],
  open: 'Ponerlo en mi biblioteca',
  hasAccount: ({ email }) => [
    email,
    ' tiene una cuenta aquí. Inicie sesión y vuelva a abrir el enlace del correo.',
  ],
  gumroad: '¿Lo compró en Gumroad?',
  byLicenseKey: 'Con la clave de licencia',
  licenseKey: 'Clave de licencia',
  licenseKeyHint: 'Está en el recibo de Gumroad',
  findMine: 'Recuperar mi compra',
  noMail:
    '¿No tiene un enlace? Esta tienda no envía correos: escriba a la tienda e indique su número de pedido.',
  noMailAsk: ({ contact }) => [
    '¿No tiene un enlace? Esta tienda no envía correos: escriba a la tienda (',
    contact,
    ') e indique su número de pedido.',
  ],
  address: 'Su dirección',
  addressNote:
    'Su compra se abre desde el correo que le enviamos. Para recibirlo otra vez, escriba la dirección que dio al pagar.',
  sendAgain: 'Enviar otra vez',
};

const demo: Words['account']['demo'] = {
  pretended: ({ provider }) => `El pago en ${provider} es simulado: no se pide tarjeta ni se mueve dinero.`,
  pay: 'Pagar',
  emailHint: 'En una tienda real la escribe quien compra. Aquí sirve cualquiera',
  payPrice: ({ price }) => `Pagar ${price} (simulado)`,
  receipt: 'Recibo',
  givenBack: 'Se devolvió el dinero. Quien lo compró ya no puede leerlo.',
  paid: ({ price, at }) => [`${price}, el `, at],
  refund: 'Reembolso',
  refundNote: 'Quien lo compró ya no podrá leerlo, como tras un reembolso real.',
  giveBack: 'Devolver el dinero',
  back: 'Volver a la tienda',
};

const said: Words['account']['said'] = {
  'book-mailed': 'El libro va en camino. Puede tardar unos minutos en aparecer en su lector.',
  'note-sent': 'Enviada al autor. Si responde, la respuesta aparece aquí.',
  'news-begun':
    'A partir de ahora recibirá por correo las novedades de sus títulos, como mucho una vez al día.',
  'news-ended': 'Novedades desactivadas. Por correo solo llegarán los anuncios de la editorial.',
  'agent-link-revoked': 'Enlace revocado. Los agentes que aún lo usen no encontrarán nada en él.',
  'key-revoked': 'Clave revocada. Los programas que aún la usen recibirán un error 401.',
  'password-changed':
    'Contraseña cambiada. Se han cerrado todas las demás sesiones; sus claves de API siguen funcionando.',
  'email-asked':
    'Si la nueva dirección se puede usar, el enlace ya va en camino. Todo seguirá igual hasta que se abra, en un plazo de 24 horas.',
  'email-changed':
    'Su dirección ha cambiado. Se han cerrado todas las demás sesiones; sus claves de API siguen funcionando.',
  'places-kept': 'A partir de ahora la tienda recordará por dónde va leyendo.',
  'places-forgotten': 'La tienda ha olvidado por dónde iba leyendo y ya no lo recordará.',
  'assistant-ended': 'Desconectado. El asistente tendrá que iniciar sesión de nuevo.',
  'assistant-saved': 'Guardado. Se aplica a partir de su próxima conversación.',
  'session-ended': 'Sesión cerrada.',
  'sessions-ended': 'Se han cerrado todas las demás sesiones.',
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
