package dev.kudu4j.tools.demo;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.console.ListColumn;
import java.util.List;

/** The steps of the demo. */
final class Demo {
  private static final int NEW_ORDERS = 500;

  private final EmbeddedCluster cluster;
  private final TpchGenerator generator;
  private final Screen screen;
  private final Checks checks = new Checks();
  private final KuduClient client;
  private ExpectedResults expectedResults;
  private long orders;
  private long lastOrderKey;
  private long middleOrderKey;

  Demo(EmbeddedCluster cluster, double scale, Screen screen) {
    this.cluster = cluster;
    this.generator = new TpchGenerator(scale);
    this.screen = screen;
    this.client = cluster.client();
  }

  /** Runs all steps; the returned checks contain the wrong results. */
  Checks play() throws Exception {
    load();
    query();
    Totals before = expectedResults.totals();
    long timestamp = client.getLastPropagatedTimestamp() + 1;
    Changes.ChangeResult changed = applyChanges(before);
    travel(before, timestamp, changed.after());
    if (cluster.tabletServerCount() >= 3) {
      loseServer(changed.after());
    }
    return checks;
  }

  private static ListColumn text(String title) {
    return ListColumn.text(title);
  }

  private static ListColumn number(String title) {
    return ListColumn.number(title);
  }

  private void load() throws KuduException {
    screen.act("Load: TPC-H orders and lineitem");
    TableLoad load = new TableLoad(client, screen.progress());
    long middle = generator.orderCount() / 2;
    TableLoad.Loaded loadedOrders =
        load.load(
            new OrdersTable(),
            generator.orders(),
            generator.orderCount(),
            order -> {
              lastOrderKey = Math.max(lastOrderKey, order.getOrderKey());
              if (orders++ == middle) {
                middleOrderKey = order.getOrderKey();
              }
            });
    sayLoaded(OrdersTable.NAME, loadedOrders);
    expectedResults = new ExpectedResults(middleOrderKey);
    TableLoad.Loaded loadedLines =
        load.load(
            new LineItemTable(),
            generator.lines(),
            generator.roughLineCount(),
            line -> expectedResults.add(line));
    sayLoaded(LineItemTable.NAME, loadedLines);
  }

  private void sayLoaded(String table, TableLoad.Loaded loaded) {
    screen.say(
        "%-9s %11s rows in %7s   %s",
        table,
        Texts.count(loaded.rows()),
        Texts.time(loaded.nanos()),
        Texts.rate(loaded.rows(), loaded.nanos()));
  }

  private void query() throws KuduException {
    screen.act("Query: the four queries of the Kudu paper");
    LineItemQueries queries = new LineItemQueries(client, client.openTable(LineItemTable.NAME));
    Answers answers =
        new Answers(text("Query on lineitem"), number("Answer"), number("Time"), text("Check"));

    long began = System.nanoTime();
    PricingSummary pricing = queries.pricingSummary();
    long pricingNanos = System.nanoTime() - began;
    answers.row(
        "TPC-H Q1, shipped until " + ExpectedResults.LAST_SHIP_DATE,
        pricing.lines().size() + " groups, below",
        Texts.time(pricingNanos),
        checks.verdict("The pricing summary", pricing, expectedResults.pricing()));

    began = System.nanoTime();
    long count = queries.count();
    answers.row(
        "COUNT(*)",
        Texts.count(count),
        Texts.time(System.nanoTime() - began),
        checks.verdict("COUNT(*)", count, expectedResults.totals().rows()));

    began = System.nanoTime();
    long ofQuantity = queries.countOfQuantity(ExpectedResults.ASKED_QUANTITY);
    answers.row(
        "COUNT(*) where l_quantity = " + ExpectedResults.ASKED_QUANTITY,
        Texts.count(ofQuantity),
        Texts.time(System.nanoTime() - began),
        checks.verdict(
            "The count of a quantity", ofQuantity, expectedResults.rowsOfAskedQuantity()));

    began = System.nanoTime();
    List<OrderLine> lines = queries.linesOf(expectedResults.lookedUpOrder());
    answers.row(
        "rows with l_orderkey = " + expectedResults.lookedUpOrder(),
        lines.size() + " rows, below",
        Texts.time(System.nanoTime() - began),
        checks.verdict("The lookup by key", lines, expectedResults.lookedUpLines()));

    screen.table(answers);
    showPricing(pricing);
    showLines(lines);
  }

  private void showPricing(PricingSummary pricing) {
    Answers answers =
        new Answers(
            text("flag"),
            text("status"),
            number("sum_qty"),
            number("sum_price"),
            number("sum_disc_price"),
            number("sum_charge"),
            number("avg_qty"),
            number("avg_price"),
            number("avg_disc"),
            number("count"));
    pricing
        .lines()
        .forEach(
            (name, sums) -> {
              Object[] row = new Object[2 + sums.length];
              row[0] = name.substring(0, 1);
              row[1] = name.substring(2);
              System.arraycopy(sums, 0, row, 2, sums.length);
              answers.row(row);
            });
    screen.table(answers);
  }

  private void showLines(List<OrderLine> lines) {
    Answers answers =
        new Answers(
            number("l_linenumber"),
            number("l_quantity"),
            number("l_extendedprice"),
            text("l_shipmode"));
    for (OrderLine line : lines) {
      answers.row(line.lineNumber(), line.quantityText(), line.priceText(), line.shipMode());
    }
    screen.table(answers);
  }

  private Changes.ChangeResult applyChanges(Totals before) throws KuduException {
    screen.act("Change: update 10 % of lineitem, delete 1 %");
    Changes.ChangeResult changed =
        new Changes(client, screen.progress()).apply(generator.lines(), before);
    screen.say(
        "%s rows updated, %s deleted in %s   %s",
        Texts.count(changed.updated()),
        Texts.count(changed.deleted()),
        Texts.time(changed.nanos()),
        Texts.rate(changed.updated() + changed.deleted(), changed.nanos()));
    return changed;
  }

  private void travel(Totals before, long timestamp, Totals after) throws KuduException {
    screen.act("Time travel: lineitem now, and as it was before the changes");
    LineItemQueries queries = new LineItemQueries(client, client.openTable(LineItemTable.NAME));
    Answers answers =
        new Answers(
            text("lineitem"),
            number("COUNT(*)"),
            number("SUM(l_quantity)"),
            number("Time"),
            text("Check"));
    long began = System.nanoTime();
    Totals now = queries.totals();
    addTotals(answers, "now", now, began, after);
    began = System.nanoTime();
    Totals then = queries.totalsAt(timestamp);
    addTotals(answers, "READ_AT_SNAPSHOT " + timestamp, then, began, before);
    screen.table(answers);
  }

  private void addTotals(Answers answers, String which, Totals found, long began, Totals expected) {
    answers.row(
        which,
        Texts.count(found.rows()),
        found.quantityText(),
        Texts.time(System.nanoTime() - began),
        checks.verdict("lineitem " + which, found, expected));
  }

  private void loseServer(Totals lines) throws Exception {
    Leaders leaders = Leaders.of(cluster, client, OrdersTable.NAME, LineItemTable.NAME);
    int lost = leaders.busiest();
    screen.act("Failure of a server: reads and writes continue");
    cluster.stopTabletServer(lost);
    screen.say(
        "Tablet server %d on %s is stopped; it led %d of %d tablets",
        lost, cluster.tabletServerAddress(lost), leaders.led().get(lost), leaders.tablets());
    SingleInserts.Done inserts =
        new SingleInserts(client).insert(generator.orders(), lastOrderKey + 1, NEW_ORDERS);
    screen.say(
        "%d single inserts, each acknowledged by a majority: %s; the longest, during"
            + " the leader election: %s",
        inserts.rows(), Texts.time(inserts.nanos()), Texts.time(inserts.longestNanos()));
    Answers answers =
        new Answers(text("With a server down"), number("Answer"), number("Time"), text("Check"));
    long began = System.nanoTime();
    long count = Scans.count(ordersScan());
    answers.row(
        "COUNT(*) of orders, with the new ones",
        Texts.count(count),
        Texts.time(System.nanoTime() - began),
        checks.verdict("The count of orders", count, orders + NEW_ORDERS));
    LineItemQueries queries = new LineItemQueries(client, client.openTable(LineItemTable.NAME));
    began = System.nanoTime();
    Totals found = queries.totals();
    answers.row(
        "SUM(l_quantity) of lineitem",
        found.quantityText(),
        Texts.time(System.nanoTime() - began),
        checks.verdict("lineitem with a server down", found, lines));
    screen.table(answers);
    screen.gap();
    began = System.nanoTime();
    cluster.startTabletServer(lost);
    screen.say(
        "Tablet server %d is back after %s and catches up automatically",
        lost, Texts.time(System.nanoTime() - began));
  }

  private KuduScanner ordersScan() throws KuduException {
    return client
        .newScannerBuilder(client.openTable(OrdersTable.NAME))
        .setProjectedColumnNames(List.of())
        .build();
  }
}
