import type { Words } from '../words.ts';
import type { MailFacts } from '../en/mail.ts';
import { yours } from './account.ts';

const MISTAKE = 'Si usted no lo pidió, no tiene que hacer nada: todo seguirá igual.';

const UNWANTED = 'Si usted no lo pidió, no tiene que hacer nada: no recibirá nada más.';

const mayWrite = (stall: string): string =>
  `${stall} puede escribirle sobre nuevas ediciones de lo que ha comprado. Puede dejar de recibir esos correos cuando quiera, con un clic en cualquiera de ellos.`;

const forOthers = ({ copies, count }: Pick<MailFacts, 'copies' | 'count'>): readonly string[] =>
  copies === ''
    ? []
    : [
        count === '1'
          ? 'Compró dos ejemplares. Comparta este enlace: otra persona podrá añadir el segundo a su biblioteca.'
          : `Compró varios ejemplares. Comparta este enlace: otras ${count} personas podrán añadir un ejemplar a su biblioteca.`,
        copies,
      ];

const comingSoon = (titles: string): string =>
  `Aún sin publicar: ${titles}. Le avisaremos por correo cuando se publique.`;

/** The mails in Spanish. The greeting has a colon, and what follows a capital letter. */
export const mail: Words['mail'] = {
  hello: 'Hola:',
  yourPurchase: 'su compra',
  reasons: {
    refunded: 'se ha reembolsado',
    lost: 'se ha reembolsado tras una disputa',
    disputed: 'está en suspenso mientras se resuelve una disputa sobre el pago',
    revoked: 'ha sido cerrado por la tienda',
    ended: 'ha vencido',
  },
  sold: { live: 'Venta', test: 'Venta de prueba' },
  paid: {
    live: 'Es una venta real.',
    test: 'Es una venta de prueba: no se ha pagado nada.',
  },
  claim: ({ stall, titles, ref, link, origin, read, epub, coming, ...others }) => [
    `Su compra en ${stall}`,
    `Gracias por su compra: ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    read === ''
      ? 'Abra este enlace para añadir la compra a su biblioteca:'
      : 'Para leer ahora, abra este enlace:',
    link,
    ...(epub === '' ? [] : ['En la página siguiente también podrá descargar el EPUB o usarlo en su agente.']),
    `El enlace funciona una sola vez, durante 7 días. Si ha caducado, pida otro en ${origin}/claim.`,
    ...forOthers(others),
    mayWrite(stall),
    `Número de pedido: ${ref}. Si usted no compró nada, alguien se equivocó de dirección; puede ignorar este correo.`,
  ],
  claimed: ({ stall, titles, ref, holder }) => [
    `Su compra en ${stall}`,
    `Gracias por su compra: ${titles}.`,
    `La compra ya está en la biblioteca de la cuenta ${holder}, con la que se había iniciado sesión en ese momento.`,
    `Si esa cuenta no es suya, responda a este correo indicando el número de pedido ${ref}.`,
  ],
  library: ({ stall, titles, ref, read, epub, origin, coming, ...others }) => [
    `En su biblioteca de ${stall}`,
    `Gracias por su compra: ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    ...(read === '' ? [] : [`${yours.read}:\n${read}`]),
    ...(epub === '' ? [] : [`${yours.epub}:\n${epub}`]),
    `${yours.agent}:\n${origin}/dashboard/connect`,
    ...forOthers(others),
    mayWrite(stall),
    `Número de pedido: ${ref}.`,
  ],
  ended: ({ stall, titles, ref, reason, origin }) => [
    `Su pedido en ${stall} ${reason}`,
    `Su pedido ${ref} ${reason}, por lo que ya no da acceso a ${titles}. Si tiene alguna duda, responda a este correo.`,
    'Para volver a la tienda:',
    origin,
  ],
  invite: ({ stall, link }) => [
    `Su cuenta en ${stall}`,
    `${stall} creó una cuenta para usted. Abra este enlace para elegir una contraseña:`,
    link,
    'El enlace funciona una sola vez, durante 72 horas.',
  ],
  helper: ({ stall, link, origin }) => [
    `Colaborar con ${stall}`,
    `${stall} le invita a añadir y editar sus libros y skills, y a responder a los avisos de los lectores. Abra este enlace para elegir una contraseña:`,
    link,
    'El enlace funciona una sola vez, durante 72 horas. Después, su trabajo está aquí:',
    `${origin}/admin/items`,
  ],
  reset: ({ stall, link }) => [
    `Contraseña nueva en ${stall}`,
    `Alguien, probablemente usted, pidió una contraseña nueva en ${stall}. Abra este enlace para elegirla:`,
    link,
    'El enlace funciona una sola vez, durante 72 horas.',
    MISTAKE,
  ],
  'sign-in': ({ stall, link }) => [
    `Iniciar sesión en ${stall}`,
    `Alguien, probablemente usted, pidió iniciar sesión en ${stall}. Abra este enlace en el mismo navegador:`,
    link,
    'En otro navegador muestra un código que se escribe donde lo pidió. Funciona una sola vez, durante 30 minutos.',
    MISTAKE,
  ],
  open: ({ stall, link }) => [
    `Abra su cuenta en ${stall}`,
    `Abra este enlace para elegir una contraseña; entonces se creará su cuenta en ${stall}:`,
    link,
    'El enlace funciona una sola vez, durante 72 horas.',
    MISTAKE,
  ],
  email: ({ stall, link }) => [
    `Confirme su nueva dirección en ${stall}`,
    `Alguien, probablemente usted, pidió usar esta dirección para su cuenta en ${stall}. Abra este enlace para confirmarla:`,
    link,
    'El enlace funciona una sola vez, durante 24 horas.',
    MISTAKE,
  ],
  taken: ({ stall, origin }) => [
    `Ya tiene una cuenta en ${stall}`,
    'Alguien, quizá usted, pidió usar esta dirección para otra cuenta. Como ya tiene una cuenta propia, todo seguirá igual. Inicie sesión en ella aquí:',
    `${origin}/sign-in`,
  ],
  moving: ({ stall, holder, origin }) => [
    `Su dirección en ${stall} está a punto de cambiar`,
    `Alguien que conoce su contraseña pidió cambiar la dirección de su cuenta por ${holder}. Todo seguirá igual hasta que se abra el enlace que se envió a esa dirección.`,
    'Si no fue usted, elija ahora mismo otra contraseña. Así se anula el enlace y se cierran todas las demás sesiones:',
    `${origin}/forgot`,
    'Si la dirección ya ha cambiado, responda a este correo o escriba a la tienda.',
  ],
  'wrong-codes': ({ stall, origin }) => [
    `Códigos incorrectos para su cuenta en ${stall}`,
    'Alguien escribió diez códigos de verificación incorrectos en un día. Esa persona conoce su contraseña o tiene un enlace de acceso a su cuenta, pero no pudo entrar.',
    'Si no fue usted, elija ahora mismo otra contraseña:',
    `${origin}/dashboard/account/password`,
  ],
  'step-off': ({ stall, origin }) => [
    `Verificación en dos pasos desactivada en ${stall}`,
    'Se ha desactivado la verificación en dos pasos de su cuenta. A partir de ahora basta su contraseña para iniciar sesión.',
    'Si no fue usted, elija ahora mismo otra contraseña y vuelva a activarla:',
    `${origin}/dashboard/account`,
  ],
  attention: ({ stall, count, origin }) => [
    count === '1'
      ? `Un pedido en ${stall} requiere su atención`
      : `${count} pedidos en ${stall} requieren su atención`,
    count === '1' ? 'Un pedido requiere su atención:' : `${count} pedidos requieren su atención:`,
    `${origin}/admin/orders`,
  ],
  reports: ({ stall, count, origin }) => [
    count === '1' ? `Un aviso de un lector de ${stall}` : `${count} avisos de lectores de ${stall}`,
    count === '1' ? 'Hay un aviso de un lector pendiente:' : `Hay ${count} avisos de lectores pendientes:`,
    `${origin}/admin/reports`,
  ],
  answered: ({ stall, titles, state, answer, origin }) => [
    `Su aviso en ${stall}`,
    `Su aviso sobre ${titles} está marcado como «${state}».`,
    ...(answer === '' ? [] : [answer]),
    `Todo lo que ha enviado a los autores está aquí:\n${origin}/dashboard/notes#sent`,
  ],
  sale: ({ stall, titles, price, ref, sold, paid, buyer, count, order }) => [
    `${sold} en ${stall}: ${titles}`,
    `Vendió ${titles} por ${price}. ${paid}`,
    `Comprador: ${buyer}
Ejemplares: ${count}
Pedido: ${ref}`,
    order,
  ],
  'e-reader': ({ stall, titles }) => [
    `Su libro de ${stall}`,
    `aquí tiene ${titles} para su lector de libros electrónicos. Lo pidió en ${stall}.`,
  ],
  published: ({ stall, titles, read }) => [
    `Nueva publicación en ${stall}: ${titles}`,
    `Nuevo en su biblioteca: ${titles}.`,
    `${yours.read}:\n${read}`,
  ],
  news: ({ stall, titles, news, link, read }) => [
    `Novedades en ${stall}: ${titles}`,
    news,
    `Para abrirlo:\n${read}`,
    `Recibe este correo porque tiene o ha comprado ${titles}. Abra este enlace para no recibir más correos de este tipo de ${stall}:`,
    link,
  ],
  subscribe: ({ stall, link }) => [
    `Confirme su dirección para recibir novedades de ${stall}`,
    `Alguien, probablemente usted, pidió recibir novedades de ${stall} en esta dirección. Abra este enlace para confirmarla:`,
    link,
    'El enlace funciona durante 7 días.',
    UNWANTED,
  ],
  'tell-me': ({ stall, titles, link }) => [
    `Confirme que ${stall} puede avisarle: ${titles}`,
    `Alguien, probablemente usted, pidió un aviso de la publicación de ${titles}. Abra este enlace para confirmar su dirección:`,
    link,
    'El enlace funciona durante 7 días. Recibirá un solo correo y después olvidaremos su dirección.',
    UNWANTED,
  ],
  told: ({ stall, titles, link, read }) => [
    `Nueva publicación en ${stall}: ${titles}`,
    `Nos pidió que le avisáramos. Ya en la tienda: ${titles}.`,
    `Para abrirlo:\n${read}`,
    'Este era el único correo que pidió. Si no desea recibir ningún correo de esta tienda, abra este enlace:',
    link,
  ],
  bulletin: ({ stall, titles, news, link, read }) => [
    `Novedades en ${stall}: ${titles}`,
    news,
    `Para abrirlo:\n${read}`,
    `Recibe este correo porque pidió novedades de ${stall}. Abra este enlace para dejar de recibirlas:`,
    link,
  ],
};
