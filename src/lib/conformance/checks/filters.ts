import { RETURN_STATUSES } from '../../wire/enumerations.ts'
import type { Return } from '../../wire/returns.ts'
import { assumed, type Check, spec } from '../check.ts'
import { ALL, middle, msOf, mustFind, refusedQuery, wall } from '../filtered.ts'
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
  {
    id: 'filter.status',
    specified: 'status gives the returns in that state, for each of the nine states',
    ...spec('§4.7'),
    run: async (world) => {
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
  },
  refusedQuery('filter.status-unknown', '§4.7', 'A status that there is not', { status: 'CONFORMANCE' }),
  {
    id: 'filter.name',
    specified: 'name gives the return of that name',
    ...spec('§4.7'),
    run: async (world) => {
      const record = need(middle(await world.sample()), 'there are no returns')
      return mustFind(world, { name: record.name }, record, ({ name }) =>
        name === record.name ? undefined : `${name} with name=${record.name}`,
      )
    },
  },
  {
    id: 'filter.name-unknown',
    specified: 'A name that there is not gives an empty list',
    ...assumed('§4.7'),
    run: async (world) => {
      const { returns, totalRecords, totalPages } = await world.list({ name: 'R#-CONFORMANCE-NO-SUCH' })
      const observed = `${returns.length} records, totalRecords ${totalRecords}, totalPages ${totalPages}`
      must(returns.length + totalRecords + totalPages === 0, observed)
      return observed
    },
  },
  {
    id: 'filter.order',
    specified: 'ecommerce_order gives the returns of that order, by its id',
    ...spec('§4.7'),
    run: async (world) => {
      const record = need(middle(await world.sample()), 'there are no returns')
      const { id } = record.ecommerceOrder
      return mustFind(world, { ecommerce_order: id }, record, ({ name, ecommerceOrder }) =>
        ecommerceOrder.id === id ? undefined : `${name} is of the order ${ecommerceOrder.id}`,
      )
    },
  },
  {
    id: 'filter.order-name',
    specified: 'ecommerce_order takes the name of the order too',
    ...assumed('§4.7'),
    run: async (world) => {
      const record = await world.find(
        'whose order has a name',
        ({ ecommerceOrder }) => !!ecommerceOrder?.name,
      )
      const wanted = record.ecommerceOrder.name ?? ''
      return mustFind(world, { ecommerce_order: wanted }, record, ({ name, ecommerceOrder }) =>
        ecommerceOrder.name === wanted ? undefined : `${name} is of the order ${ecommerceOrder.name}`,
      )
    },
  },
  {
    id: 'filter.together',
    specified: 'Several filters apply together',
    ...spec('§4.7'),
    run: async (world) => {
      const sample = await world.sample()
      const record = need(middle(sample.filter(({ status }) => !!status)), 'there are no returns')
      const at = msOf(record.createdAt)
      const { status, shopCode } = record
      const query = { status: status ?? '', created_from: wall(at), shop_code: shopCode }
      return mustFind(world, query, record, (found) =>
        found.status === status && found.shopCode === shopCode && msOf(found.createdAt) >= at
          ? undefined
          : `${found.name} of ${found.shopCode}, ${found.status}, of ${found.createdAt}`,
      )
    },
  },
  {
    id: 'filter.shop',
    specified: 'shop_code gives the returns of that shop',
    ...spec('§4.7'),
    run: async (world) => {
      const record = need(middle(await world.sample()), 'there are no returns')
      const { returns } = await world.list({ ...ALL, shop_code: record.shopCode })
      return each(returns, `returns of ${record.shopCode}`, ({ name, shopCode }) =>
        shopCode === record.shopCode ? undefined : `${name} of the shop ${shopCode}`,
      )
    },
  },
  {
    id: 'filter.shop-foreign',
    specified: 'A shop that the token is not for is refused',
    ...spec('§5'),
    run: async (world) => mustRefuse(await world.returns({ shop_code: FOREIGN_SHOP })),
  },
  refusedQuery('filter.shop-foreign-400', '§5', 'A shop that the token is not for', {
    shop_code: FOREIGN_SHOP,
  }),
  {
    id: 'filter.total',
    specified: 'totalRecords and totalPages count the returns that the filter finds',
    ...spec('§2.1, §4.7'),
    run: async (world) => {
      const record = need(middle(await world.sample()), 'there are no returns')
      const found = []
      for (const [name, value] of Object.entries(filtersOf(record)))
        found.push({ name, ...(await world.list({ ...ALL, [name]: value })) })
      return each(found, 'filters', ({ name, returns, totalRecords, totalPages }) => {
        const isSo =
          returns.length === Math.min(500, totalRecords) && totalPages === Math.ceil(totalRecords / 500)
        return isSo ? undefined : `${name}: ${returns.length} returns, ${totalRecords} in ${totalPages} pages`
      })
    },
  },
  {
    id: 'filter.pages',
    specified: 'Filters hold on every page',
    ...spec('§4.7'),
    run: async (world) => {
      const statuses = (await world.sample()).map(({ status }) => status)
      const status = need(
        statuses.find((each, index) => statuses.indexOf(each) < index),
        'no two returns have the same status',
      )
      const query = { status, limit: 1, page: 2 }
      return each((await world.list(query)).returns, `returns on page 2 of ${status}`, (record) =>
        record.status === status ? undefined : `${record.name} is ${record.status}`,
      )
    },
  },
  {
    id: 'filter.name-exact',
    specified: 'name does not find returns whose name only begins so',
    ...assumed('§4.7'),
    run: async (world) => {
      const { name } = need(middle(await world.sample()), 'there are no returns')
      const start = name.slice(0, -1)
      const { returns } = await world.list({ name: start })
      const other = returns.find((record) => record.name !== start)
      must(other === undefined, `${other?.name} with name=${start}`)
      return `${returns.length} returns of the name ${start}`
    },
  },
]
