import { formatsIn } from '../formats.ts';
import type { Words } from '../words.ts';

const f = formatsIn('es-ES');

const VERBS = {
  look: 'ver',
  read: 'leer',
  install: 'instalar',
  zip: 'descargar',
  take: 'obtener',
  files: 'leer los archivos de',
  ask: 'preguntar a',
};

const account: Words['refusals']['account'] = {
  overPlainHttp:
    'No se puede iniciar sesión desde otro equipo sin cifrado (http). Abra la tienda por https o arránquela con --insecure-http.',
  hasOwner: 'Esta tienda ya está configurada. Inicie sesión.',
  byProxy:
    'En esta tienda no hay contraseñas: se entra con el inicio de sesión de su organización. Vaya a la página principal.',
  proxyHeader: ({ header }) =>
    `El inicio de sesión está mal configurado: el proxy debe enviar el encabezado ${header} una sola vez, con una dirección de correo en ASCII. Avise a la tienda.`,
  proxyUnknown: ({ address }) =>
    `En esta tienda no hay ninguna cuenta para ${address}. Pida una a la tienda.`,
  cannotMailLink: 'Esta tienda no envía correos. Pida un enlace a la tienda.',
  cannotSignUp: 'En esta tienda no es posible registrarse en línea. Pida una cuenta a la tienda.',
  cannotMailNews: 'Esta tienda no envía correos, así que tampoco novedades.',
  cannotEndNews:
    'Este enlace no sirve para cancelar las novedades: caducó o no es de esta tienda. Puede hacerlo en la página de su cuenta.',
  notAnEReader: ({ text }) =>
    `No se puede enviar un libro a «${text}». Escriba una dirección que termine en @kindle.com o @pbsync.com.`,
  mailedEnough: ({ most }) =>
    `No se pueden enviar más de ${most} libros en 24 horas a un lector de libros electrónicos. Inténtelo mañana o descargue el EPUB.`,
  bookTooLarge: ({ size, most }) =>
    `Este EPUB ocupa ${size} y es demasiado grande para un correo: el máximo es ${most}. Descárguelo.`,
  notAnEmail: ({ text }) =>
    `«${text}» no es una dirección de correo. Escríbala en la forma nombre@example.org.`,

  wrongSignIn:
    'La dirección de correo o la contraseña no es correcta. Escriba ambas de nuevo, con atención a las mayúsculas.',
  wrongSignInCode: ({ most }) =>
    `Este código o enlace no es correcto o ya se usó. Tras ${most} códigos incorrectos, pida un correo nuevo.`,
  disabled: 'Esta cuenta está desactivada. Pida a la tienda que la active.',
  passwordChanged:
    'Mientras iniciaba sesión se cambió la contraseña o se desactivó la cuenta. Inicie sesión de nuevo.',
  signInLater: ({ seconds }) =>
    f.plural(seconds, {
      one: 'Demasiados intentos fallidos. Espere un segundo y vuelva a intentarlo.',
      other: `Demasiados intentos fallidos. Espere ${f.number(seconds)} segundos y vuelva a intentarlo.`,
    }),
  passwordsLater:
    'Hay demasiadas personas iniciando sesión en este momento. Vuelva a intentarlo en un segundo.',

  wrongSecondCode:
    'El código es incorrecto, es demasiado antiguo o ya se usó. Escriba el que muestra ahora su aplicación.',
  secondCodesLater: ({ seconds }) =>
    f.plural(Math.ceil(seconds / 60), {
      one: 'Demasiados códigos incorrectos. Espere un minuto y vuelva a intentarlo.',
      other: `Demasiados códigos incorrectos. Espere ${f.number(Math.ceil(seconds / 60))} minutos o use el otro tipo de código.`,
    }),
  codeTooLate: 'Han pasado más de cinco minutos desde que escribió la contraseña. Inicie sesión de nuevo.',
  wrongStepPassword: 'La contraseña no es correcta. Escríbala de nuevo.',

  passwordBlank: 'La contraseña está vacía. Escriba una.',
  passwordShort: ({ count, fewest }) =>
    f.plural(count, {
      one: `La contraseña es demasiado corta: tiene 1 carácter y necesita al menos ${f.number(fewest)}. Lo mejor son varias palabras.`,
      other: `La contraseña es demasiado corta: tiene ${f.number(count)} caracteres y necesita al menos ${f.number(fewest)}. Lo mejor son varias palabras.`,
    }),
  passwordLong: ({ count, most }) =>
    `La contraseña es demasiado larga: tiene ${f.number(count)} caracteres y puede tener como máximo ${f.number(most)}.`,
  passwordIsName:
    'Esta contraseña es demasiado fácil de adivinar: es su dirección de correo o el nombre de la tienda. Elija otra, a ser posible de varias palabras.',
  passwordIsCommon:
    'Esta contraseña es demasiado fácil de adivinar: es una de las más comunes. Elija otra, a ser posible de varias palabras.',
  wrongCurrent: 'La contraseña actual no es correcta. Escríbala de nuevo.',

  emailIsYours: ({ email }) => `«${email}» ya es su dirección. Escriba otra.`,
  emailUnmailable: ({ email }) => `No se puede enviar correo a «${email}». Escriba otra dirección.`,
  emailWrongPassword: 'La contraseña no es correcta. Escríbala de nuevo.',
  emailNotTheirs:
    'Escriba la contraseña de la cuenta para la que se pidió el cambio. Si no fue usted, cierre esta página.',
  emailNeedsSignIn: 'Inicie sesión en la cuenta que pidió esta dirección y vuelva a abrir el enlace.',
  signInFirst: 'Para esto, inicie sesión otra vez con un enlace por correo.',
  wrongPassword: 'La contraseña no es correcta. Escríbala de nuevo.',
  noSession: 'Esa sesión ya se ha cerrado.',
  noAssistant: 'Ese asistente ya se ha desconectado.',

  linkUnusable:
    'Este enlace no es válido: ya se usó, caducó o no es de esta tienda. Si tiene una cuenta, inicie sesión; si no, pida otro enlace a la tienda.',
  linkOfAccount: 'La dirección de este enlace ya tiene una cuenta. Inicie sesión y vuelva a abrir el enlace.',

  claimsLater:
    'Se han buscado demasiadas compras desconocidas. Espere un minuto y vuelva a cargar la página.',
  cannotClaim:
    'Esta compra ya se añadió a una biblioteca, o su dirección ya tiene una cuenta. Inicie sesión.',
  purchaseForgotten:
    'Ha pasado más de una hora desde su compra. Use el enlace del correo o pida que se lo enviemos otra vez.',
  heldByOther: ({ ref, holder }) =>
    `El pedido ${ref} está en la biblioteca de ${holder}. Inicie sesión con esa cuenta.`,
  orderGivenBack: ({ ref }) =>
    `El pedido ${ref} se reembolsó. Si cree que es un error, pregunte a la tienda.`,
  orderDisputed: ({ ref }) =>
    `El pago del pedido ${ref} está en disputa. Vuelva a abrir el enlace cuando se haya resuelto.`,
  orderOpensNothing: ({ ref }) =>
    `Ahora mismo el pedido ${ref} no da acceso a nada. Si cree que es un error, pregunte a la tienda.`,
  orderIsPresent: ({ ref }) => `El pedido ${ref} se convirtió en un regalo. Canjee su código en /redeem.`,
  notYourPresent:
    'Solo la cuenta que tiene esta compra puede regalarla. Inicie sesión con ella o pregunte a la tienda.',
  presentBefore: ({ ref }) => `El pedido ${ref} ya es un regalo, o no está pagado.`,

  codeEmpty: 'Escriba un código.',
  codesLater: ({ seconds }) =>
    f.plural(seconds, {
      one: 'Demasiados códigos incorrectos. Espere un segundo y vuelva a intentarlo.',
      other: `Demasiados códigos incorrectos. Espere ${f.number(seconds)} segundos y vuelva a intentarlo.`,
    }),
  code: {
    unknown: 'Este código no existe en esta tienda. Compárelo con el que recibió.',
    revoked: 'Este código se retiró. Pregunte a quien se lo dio.',
    late: 'Este código ha caducado. Pregunte a quien se lo dio.',
    used: 'Este código ya se ha usado todas las veces posibles. Pregunte a quien se lo dio.',
    unpaid: 'La compra de este código se reembolsó o venció. Pregunte a quien se lo dio.',
  },
  codeNeedsEmail: 'Para crear la cuenta, escriba su dirección de correo, por ejemplo ada@example.org.',
  codeForOthers: 'Su propio ejemplar ya está en su biblioteca. Este código es para los demás.',
  noMoneyBack:
    'No se puede pedir el reembolso: este pedido no es suyo o no está pagado, la garantía ha vencido o ya lo pidió.',
  noCopies: 'Ninguno de sus pedidos pagados tiene ejemplares para otras personas.',
  codeOfAccount: 'Esta dirección ya tiene una cuenta. Inicie sesión y vuelva a escribir el código.',

  notForSale: ({ slug }) => `No hay nada a la venta con el nombre «${slug}».`,
  noOrder: ({ provider, key }) => `No hay ningún pedido de ${provider} con ${key}.`,
};

const request: Words['refusals']['request'] = {
  titles: {
    401: 'Inicie sesión primero',
    403: 'No permitido',
    404: 'Página no encontrada',
    405: 'Método no permitido',
    413: 'Demasiado grande',
    429: 'Demasiadas solicitudes',
    503: 'No disponible por ahora',
  },
  failed: 'Algo ha fallado',
  toShop: 'Todos los libros y skills',

  noPage: 'En esta dirección no hay ninguna página. Todos los libros y skills están en la página principal.',
  notFound: ({ name }) =>
    `No se encuentra «${name}». Todos los libros y skills están en la página principal.`,
  noFile: 'Este archivo ya no está. Vuelva a cargar la página.',
  otherMethod: ({ method, allow }) => `Esta dirección no admite ${method}; use ${allow}.`,
  internal: ({ id }) =>
    `Se produjo un error interno. La tienda lo encontrará en su registro con la solicitud ${id}.`,
  storage: ({ id }) =>
    `Ahora mismo no se puede guardar nada. Vuelva a intentarlo más tarde. La causa está en el registro de la tienda, con la solicitud ${id}.`,
  outOfFiles: 'Hay demasiadas conexiones abiertas. Vuelva a intentarlo más tarde.',

  signIn: 'Esta página es para quienes han iniciado sesión. Inicie sesión y vuelva a intentarlo.',
  foreignForm: ({ origin }) =>
    `Este formulario no se envió desde las páginas de esta tienda. Abra ${origin} y envíelo desde allí.`,
  badTarget:
    'La dirección contiene una barra invertida, puntos como carpetas o un nombre de servidor. Envíe solo la ruta, con «%5C» en lugar de «\\».',
  keyInQuery:
    'Una clave de API no debe ir en la URL. Envíela como «Authorization: Bearer svc_…» y revóquela si otras personas han podido ver esta URL.',

  cutShort: 'La solicitud no llegó completa.',
  tooSlow: ({ seconds }) =>
    `La solicitud no llegó completa en ${f.number(seconds)} segundos. Envíela más rápido.`,
  tooLarge: ({ kib }) => `La solicitud ocupa más de ${f.number(kib)} KiB. Envíe una más corta.`,
  bodiesLater: 'Están llegando demasiadas solicitudes de este tamaño. Vuelva a enviarla.',
  manyFields: ({ most }) =>
    `El formulario tiene más de ${f.number(most)} campos. Envíelo desde la página a la que pertenece.`,
  noForm: 'No se puede leer el formulario. Envíelo desde la página a la que pertenece.',

  addressLater: ({ limit, seconds, wait }) =>
    `Desde esta dirección llegaron más de ${f.number(limit)} solicitudes en ${f.number(seconds)} s. Espere ${f.number(wait)} s.`,
  accountLater: ({ limit, seconds, wait }) =>
    `Desde esta cuenta llegaron más de ${f.number(limit)} solicitudes en ${f.number(seconds)} s. Espere ${f.number(wait)} s.`,
  questionsAtOnce: ({ most }) =>
    `Una cuenta puede hacer como máximo ${f.number(most)} preguntas a la vez. Espere a que termine una.`,
  filesAtOnce: 'Una cuenta no puede guardar dos archivos a la vez. Espere a que termine el primero.',
  listsAtOnce: ({ most }) =>
    `Una cuenta puede cargar como máximo ${f.number(most)} listas largas a la vez. Espere a que termine una.`,
  downloadsLater: 'Hay demasiadas descargas en curso. Vuelva a intentarlo cuando hayan terminado algunas.',
  searchesAtOnce: ({ most }) =>
    `No se pueden hacer más de ${f.number(most)} búsquedas a la vez. Espere a que termine una.`,
};

const library: Words['refusals']['library'] = {
  key: {
    notFound: ({ id }) => `Entre sus claves no está «${id}». Vuelva a abrir la lista de sus claves.`,
    badName: ({ most }) => `Este nombre no sirve: escriba de 1 a ${most} caracteres, sin saltos de línea.`,
    full: ({ most }) => `La cuenta ya tiene ${most} claves activas, el máximo. Revoque primero una.`,
    sentBefore:
      'Este formulario ya se envió, así que ahora no se ha creado ninguna clave. Si la clave de la lista no es la que usted copió, revóquela y vuelva a enviar el formulario.',
  },
  token: {
    notFound: ({ id }) => `Entre sus enlaces no está «${id}». Vuelva a abrir la lista de sus enlaces.`,
    badName: ({ most }) => `Este nombre no sirve: escriba de 1 a ${most} caracteres, sin saltos de línea.`,
    full: ({ most }) => `La cuenta ya tiene ${most} enlaces activos, el máximo. Revoque primero uno.`,
    sentBefore:
      'Este formulario ya se envió, así que ahora no se ha creado ningún enlace. Si el enlace de la lista no es el que usted copió, revóquelo y vuelva a enviar el formulario.',
    unknown:
      'Este enlace no abre nada: está mal escrito, se revocó o caducó. Quien lo creó puede crear otro en la página /dashboard/connect.',
  },
  noTerm: ({ text }) =>
    `«${text}» no sirve como caducidad. Indique de 1 a 9999 días, o «never» si no debe caducar.`,
  notHeld: 'Este título ya no está en su biblioteca. Elija otro.',
  unknownKey: ({ key }) => `No hay ninguna clave «${key}». Elija una de la lista.`,
  noTime: ({ text }) => `«${text}» no es una fecha válida. Escriba 2026-11-20 o 2026-11-20T14:30:00Z.`,
};

export const refusals: Words['refusals'] = {
  account,
  request,
  library,
  reading: {
    noFile: ({ path, slug, page }) => `No se encuentra «${path}» en «${slug}». Sus archivos están en ${page}`,
    cannot: ({ action, slug, wasSold }) =>
      `No puede ${VERBS[action]} «${slug}»${wasSold ? ' en la edición que se vendió' : ''}`,
    notYours: ({ cannot, remedy }) => `${cannot}: no está en su biblioteca. ${remedy}`,
    notYet: ({ expected }) => `Aún no se ha publicado${expected === null ? '' : ` (previsto: ${expected})`}.`,
    free: ({ slug }) => `Es gratis: puede instalarlo desde /api/install/${slug}`,
    buyAt: ({ price, url }) => `Puede comprarlo por ${price} en ${url}`,
    buyFrom: ({ price, contact }) => `Para comprarlo por ${price}, escriba a ${contact}`,
    buyOf: ({ price, publisher }) => `Para comprarlo por ${price}, pregunte a ${publisher}`,
    orConfirm: ({ url, remedy }) =>
      `Si se compró con la dirección de esta cuenta, o si se dio acceso a esa dirección, estará disponible cuando la dirección se confirme en ${url}. ${remedy}`,
    notPublished: ({ slug }) => `«${slug}» aún no se ha publicado; en su página figura cuándo se espera.`,
    noText: ({ slug }) => `«${slug}» no tiene ningún texto con el que responder preguntas.`,
    unproven: ({ slug }) => `No se pueden probar citas de «${slug}»: su editorial no las ha firmado.`,
    proofsLater: ({ most }) =>
      `No se pueden probar más de ${most} citas de libros de pago por hora. Inténtelo más tarde.`,
    sessionEnded: ({ slug }) =>
      `No se puede continuar con «${slug}» porque se cerró la sesión. Inicie sesión de nuevo.`,
    stopped: 'La respuesta se interrumpió antes de terminar. Vuelva a preguntar.',
    tokensSpent:
      'Por hoy se han agotado las consultas al modelo. Vuelva a preguntar después de la medianoche (UTC).',
    questionsSpent: ({ most }) =>
      `El modelo no responde más de ${f.number(most)} preguntas al día. Vuelva a preguntar después de la medianoche (UTC).`,
    epubFailed: ({ slug }) =>
      `No se pudo crear el EPUB de «${slug}». Vuelva a intentarlo más tarde y avise a la tienda.`,
    epubEmpty: ({ slug }) => `No hay EPUB de «${slug}» porque no tiene capítulos. Instálelo en su lugar.`,
    epubBusy: 'Se están creando demasiados EPUB. Vuelva a intentarlo en un minuto.',
    reports: {
      many: ({ most }) =>
        `No se pueden enviar más de ${f.number(most)} avisos pendientes. Espere a que el autor cierre algunos.`,
      noQuestion: ({ most }) =>
        `Esta pregunta no se puede enviar: debe tener de 1 a ${f.number(most)} caracteres. Hágasela al libro y envíela desde allí.`,
    },
    notes: {
      noPage:
        'No se puede continuar desde esta nota: se eliminó o su libro está cerrado. Vuelva a abrir sus notas.',
      noText: ({ path }) => `El libro no tiene ningún texto «${path}».`,
      noWords: ({ most }) =>
        `Estas palabras no se pueden guardar: una nota abarca de 1 a ${f.number(most)} caracteres de un solo texto. Seleccione otras.`,
      noNote: 'Esta nota no se encuentra: se eliminó o no es suya.',
      many: ({ most }) =>
        `No se pueden guardar más de ${f.number(most)} notas de un libro. Elimine primero algunas.`,
      full: ({ megabytes }) =>
        `No se pueden guardar más de ${f.number(megabytes)} MB de notas. Elimine primero algunas.`,
      tooLong: ({ most }) => `Una nota puede tener como máximo ${f.number(most)} caracteres. Acórtela.`,
      newEdition:
        'El libro tiene una edición nueva. Vuelva a cargar la página y seleccione las palabras de nuevo.',
      noPlace: 'Estas palabras no se encuentran en el texto. Seleccione otras.',
    },
    model: {
      cut: 'El modelo cortó la respuesta. Vuelva a preguntar.',
      gaveUp: 'El modelo abandonó la respuesta. Vuelva a preguntar.',
      overloaded: 'El modelo está sobrecargado. Vuelva a preguntar dentro de un rato.',
      refused: 'El modelo no acepta preguntas de esta tienda. Avise a la tienda.',
      questionTooLong: 'La pregunta es demasiado larga para el modelo. Acórtela.',
      promptTooLong:
        'La pregunta y los pasajes son demasiado largos para el modelo. Haga una pregunta más corta o avise a la tienda.',
      unreachable: 'No se puede conectar con el modelo. Vuelva a intentarlo dentro de un rato.',
      late: 'El modelo tarda demasiado. Vuelva a preguntar o haga una pregunta más concreta.',
      busy: 'El modelo está respondiendo tantas preguntas como puede. Vuelva a preguntar en un momento.',
      otherProtocol: 'No se puede leer la respuesta del modelo. Avise a la tienda.',
      noJson: 'No se puede leer la respuesta del modelo. Vuelva a preguntar.',
      noEnd: 'No se puede leer la respuesta del modelo.',
      reasoning: 'El modelo mezcló la respuesta con su razonamiento. Vuelva a preguntar.',
      promptCut: 'La respuesta no es fiable: el modelo no leyó todo. Avise a la tienda.',
    },
  },
};
