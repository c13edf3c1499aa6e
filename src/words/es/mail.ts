import type { Words } from '../words.ts';
import type { MailFacts } from '../en/mail.ts';
import { yours } from './account.ts';

const MISTAKE = 'Si usted no lo pidió, no tiene que hacer nada: nada cambia.';

const UNWANTED = 'Si usted no lo pidió, no tiene que hacer nada: no recibirá nada más.';

const mayWrite = (stall: string): string =>
  `${stall} puede escribirle sobre nuevas ediciones de lo que ha comprado. Usted puede oponerse en cualquier momento, con un clic en cualquiera de esos correos.`;

const forOthers = ({ copies, count }: Pick<MailFacts, 'copies' | 'count'>): readonly string[] =>
  copies === ''
    ? []
    : [
        count === '1'
          ? 'Ha comprado dos ejemplares. Comparta este enlace para que otra cuenta pueda abrir el segundo:'
          : `Ha comprado varios ejemplares. Comparta este enlace para que otras ${count} cuentas puedan abrir uno cada una:`,
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
  claim: ({ stall, titles, ref, link, origin, read, coming, ...others }) => [
    `Su compra en ${stall}`,
    `Gracias por comprar ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    read === '' ? 'Elija una contraseña para su biblioteca:' : 'Para leer ahora, elija una contraseña:',
    link,
    ...(read === '' ? [] : [`En la página siguiente están también «${yours.epub}» y «${yours.agent}».`]),
    `El enlace funciona una sola vez, durante 7 días. Si ha caducado, pida otro en ${origin}/claim.`,
    ...forOthers(others),
    mayWrite(stall),
    `Su pedido es ${ref}. Si usted no ha comprado nada, alguien escribió mal su dirección: no haga caso de este correo.`,
  ],
  claimed: ({ stall, titles, ref, holder }) => [
    `Su compra en ${stall}`,
    `Gracias por comprar ${titles}.`,
    `La compra ya está en la biblioteca de la cuenta ${holder}, que tenía la sesión iniciada cuando se añadió.`,
    `Si esa cuenta no es suya, responda a este correo indicando su pedido, ${ref}.`,
  ],
  library: ({ stall, titles, ref, read, epub, origin, coming, ...others }) => [
    `En su biblioteca de ${stall}`,
    `Gracias por comprar ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    ...(read === '' ? [] : [`${yours.read}:\n${read}`]),
    ...(epub === '' ? [] : [`${yours.epub}:\n${epub}`]),
    `${yours.agent}:\n${origin}/dashboard/connect`,
    ...forOthers(others),
    mayWrite(stall),
    `Su pedido es ${ref}.`,
  ],
  ended: ({ stall, titles, ref, reason, origin }) => [
    `Su pedido en ${stall}`,
    `Su pedido ${ref} ${reason}. Ya no da acceso a ${titles}.`,
    'La tienda está aquí:',
    origin,
  ],
  invite: ({ stall, link }) => [
    `Su cuenta en ${stall}`,
    `${stall} ha creado una cuenta para usted. Abra este enlace para elegir una contraseña:`,
    link,
    'El enlace funciona una sola vez, durante 72 horas.',
  ],
  reset: ({ stall, link }) => [
    `Contraseña nueva en ${stall}`,
    `Alguien, esperamos que usted, ha pedido una contraseña nueva en ${stall}. Abra este enlace para elegirla:`,
    link,
    'El enlace funciona una sola vez, durante 72 horas.',
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
    `Alguien, esperamos que usted, ha pedido usar esta dirección para su cuenta en ${stall}. Abra este enlace para confirmarla:`,
    link,
    'El enlace funciona una sola vez, durante 24 horas.',
    MISTAKE,
  ],
  taken: ({ stall, origin }) => [
    `Ya tiene una cuenta en ${stall}`,
    'Alguien, quizá usted, ha pedido usar esta dirección para otra cuenta. Como ya tiene una cuenta propia, nada cambia. Inicie sesión en ella aquí:',
    `${origin}/sign-in`,
  ],
  moving: ({ stall, holder, origin }) => [
    `Su dirección en ${stall} está a punto de cambiar`,
    `Alguien que conoce su contraseña ha pedido cambiar la dirección de su cuenta a ${holder}. Nada cambia hasta que se abra el enlace que se envió a esa dirección.`,
    'Si no fue usted, elija ahora mismo otra contraseña. Así se anula el enlace y se cierran todas las demás sesiones:',
    `${origin}/forgot`,
    'Si la dirección ya ha cambiado, responda a este correo o escriba a los responsables de la tienda.',
  ],
  'wrong-codes': ({ stall, origin }) => [
    `Códigos incorrectos para su cuenta en ${stall}`,
    'Alguien ha escrito diez códigos de verificación incorrectos en un día. Conoce su contraseña o tiene un enlace a su cuenta. No ha podido entrar.',
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
  sale: ({ stall, titles, price, ref, origin }) => [
    `Venta en ${stall}: ${titles}`,
    `Ha vendido ${titles} por ${price}. El pedido es ${ref}:`,
    `${origin}/admin/orders`,
  ],
  published: ({ stall, titles, read }) => [
    `Publicado en ${stall}: ${titles}`,
    `Ya está publicado y en su biblioteca: ${titles}.`,
    `${yours.read}:\n${read}`,
  ],
  news: ({ stall, titles, news, link, read }) => [
    `Novedades en ${stall}: ${titles}`,
    news,
    `Para abrirlo:\n${read}`,
    `Recibe este correo porque tiene o ha comprado ${titles}. Abra este enlace para no recibir más correos así de ${stall}:`,
    link,
  ],
  subscribe: ({ stall, link }) => [
    `Confirme su dirección para recibir novedades de ${stall}`,
    `Alguien, esperamos que usted, ha pedido recibir novedades de ${stall} en esta dirección. Abra este enlace para confirmarla:`,
    link,
    'El enlace funciona durante 7 días.',
    UNWANTED,
  ],
  'tell-me': ({ stall, titles, link }) => [
    `Confirme que ${stall} puede avisarle: ${titles}`,
    `Alguien, esperamos que usted, ha pedido un aviso cuando se publique ${titles}. Abra este enlace para confirmar su dirección:`,
    link,
    'El enlace funciona durante 7 días. Recibirá un solo correo y después olvidaremos su dirección.',
    UNWANTED,
  ],
  told: ({ stall, titles, link, read }) => [
    `Publicado en ${stall}: ${titles}`,
    `Pidió que le avisáramos: ${titles} ya se ha publicado.`,
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
