import { RETURN_STATUSES } from '../../wire/enumerations.ts'
import type { Return } from '../../wire/returns.ts'
import { assumed, type Check, spec } from '../check.ts'
import { ALL, msOf, mustFind, refusedQuery, wall } from '../filtered.ts'
import { each, must, need } from '../observed.ts'
import { mustRefuse } from '../probe.ts'

const FOREIGN_SHOP = 'CONFORMANCE-NO-SUCH-SHOP'

const filtersOf = ({ status, name, shopCode, ecommerceOrder, createdAt }: Return) => ({
  status: status ?? '',
  name,
  shop_code: shopCode,
  ecommerce_order: ecommerceOrder.id,
  created_to: wall(msOf(createdAt)),
})

/** Spec §4.7. */
export const FILTER_CHECKS: readonly Check[] = [
  spec(
    'filter.status',
    '§4.7',
    'status gives the returns in that state, for each of the nine states',
    async (world) => {
      const sample = await world.sample()
      const counts = []
      for (const status of RETURN_STATUSES) {
        const { returns, totalRecords } = await world.list({ ...ALL, status })
        const other = returns.find((record) => record.status !== status)
        must(other === undefined, `${other?.name} with status=${status} is ${other?.status}`)
        const known = sample.filter((record) => record.status === status).length
        must(totalRecords >= known, `${totalRecords} with status=${status}, but ${known} of the newest are`)
        counts.push(totalRecords)
      }
      return `${counts.join(' + ')} returns`
    },
  ),
  refusedQuery('filter.status-unknown', '§4.7', 'A status that there is not', { status: 'CONFORMANCE' }),
  spec('filter.name', '§4.7', 'name gives the return of that name', async (world) => {
    const record = await world.any()
    return mustFind(world, { name: record.name }, record, ({ name }) =>
      name === record.name ? undefined : `${name} with name=${record.name}`,
    )
  }),
  assumed('filter.name-unknown', '§4.7', 'A name that there is not gives an empty list', async (world) => {
    const { returns, totalRecords, totalPages } = await world.list({ name: 'R#-CONFORMANCE-NO-SUCH' })
    const observed = `${returns.length} records, totalRecords ${totalRecords}, totalPages ${totalPages}`
    return must(returns.length + totalRecords + totalPages === 0, observed)
  }),
  spec(
    'filter.order',
    '§4.7',
    'ecommerce_order gives the returns of that order, by its id',
    async (world) => {
      const record = await world.any()
      const { id } = record.ecommerceOrder
      return mustFind(world, { ecommerce_order: id }, record, ({ name, ecommerceOrder }) =>
        ecommerceOrder.id === id ? undefined : `${name} is of the order ${ecommerceOrder.id}`,
      )
    },
  ),
  assumed('filter.order-name', '§4.7', 'ecommerce_order takes the name of the order too', async (world) => {
    const record = await world.find('whose order has a name', ({ ecommerceOrder }) => !!ecommerceOrder?.name)
    const wanted = record.ecommerceOrder.name ?? ''
    return mustFind(world, { ecommerce_order: wanted }, record, ({ name, ecommerceOrder }) =>
      ecommerceOrder.name === wanted ? undefined : `${name} is of the order ${ecommerceOrder.name}`,
    )
  }),
  spec('filter.together', '§4.7', 'Several filters apply together', async (world) => {
    const record = await world.any()
    const at = msOf(record.createdAt)
    const { status, shopCode } = record
    const query = { status: status ?? '', created_from: wall(at), shop_code: shopCode }
    return mustFind(world, query, record, (found) =>
      found.status === status && found.shopCode === shopCode && msOf(found.createdAt) >= at
        ? undefined
        : `${found.name} of ${found.shopCode}, ${found.status}, of ${found.createdAt}`,
    )
  }),
  spec('filter.shop', '§4.7', 'shop_code gives the returns of that shop', async (world) => {
    const record = await world.any()
    return mustFind(world, { shop_code: record.shopCode }, record, ({ name, shopCode }) =>
      shopCode === record.shopCode ? undefined : `${name} of the shop ${shopCode}`,
    )
  }),
  spec('filter.shop-foreign', '§5', 'A shop that the token is not for is refused', async (world) =>
    mustRefuse(await world.returns({ shop_code: FOREIGN_SHOP })),
  ),
  refusedQuery('filter.shop-foreign-400', '§5', 'A shop that the token is not for', {
    shop_code: FOREIGN_SHOP,
  }),
  spec(
    'filter.total',
    '§2.1, §4.7',
    'totalRecords and totalPages count the returns that the filter finds',
    async (world) => {
      const record = await world.any()
      const found = []
      for (const [name, value] of Object.entries(filtersOf(record)))
        found.push({ name, ...(await world.list({ ...ALL, [name]: value })) })
      return each(found, 'filters', ({ name, returns, totalRecords, totalPages }) => {
        const isSo =
          returns.length === Math.min(500, totalRecords) && totalPages === Math.ceil(totalRecords / 500)
        return isSo ? undefined : `${name}: ${returns.length} returns, ${totalRecords} in ${totalPages} pages`
      })
    },
  ),
  spec('filter.pages', '§4.7', 'Filters hold on every page', async (world) => {
    const statuses = (await world.sample()).map(({ status }) => status)
    const status = need(
      statuses.find((each, index) => statuses.indexOf(each) < index),
      'no two returns have the same status',
    )
    const query = { status, limit: 1, page: 2 }
    return each((await world.list(query)).returns, `returns on page 2 of ${status}`, (record) =>
      record.status === status ? undefined : `${record.name} is ${record.status}`,
    )
  }),
  assumed(
    'filter.name-exact',
    '§4.7',
    'name does not find returns whose name only begins so',
    async (world) => {
      const { name } = await world.any()
      const start = name.slice(0, -1)
      const { returns } = await world.list({ name: start })
      const others = returns.filter((record) => record.name !== start)
      return must(others.length === 0, `${others.length} returns of other names with name=${start}`)
    },
  ),
]
