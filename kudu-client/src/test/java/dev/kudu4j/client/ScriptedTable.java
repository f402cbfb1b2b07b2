package dev.kudu4j.client;

import dev.kudu4j.client.cluster.FakeMaster;
import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.client.scan.FakeScans;
import dev.kudu4j.common.partition.PartitionSchema;
import java.util.List;

/**
 * A client and a table of numbers: 0 to 24 are in the tablet "low" of one server, 100 to 124 in the
 * tablet "high" of another, and no range covers 200 and beyond.
 */
final class ScriptedTable implements AutoCloseable {
  private final FakeMaster master = FakeMaster.open();
  private final FakeScans low = new FakeScans(100).tablet("low", 0, 25);
  private final FakeScans high = new FakeScans(100).tablet("high", 100, 125);
  private final FakeTabletServer first;
  private final FakeTabletServer second;
  private final AsyncKuduClient client;
  private final KuduTable table;

  /** A table on servers with the features of Apache Kudu's. */
  ScriptedTable() {
    this(FakeTabletServer.open("first"), FakeTabletServer.open("second"));
  }

  /** A table on servers that also have the features of Kudu4j only. */
  static ScriptedTable onOurServers() {
    return new ScriptedTable(
        FakeTabletServer.openOurs("first"), FakeTabletServer.openOurs("second"));
  }

  /** A table on servers of an earlier Kudu4j version. */
  static ScriptedTable onServersBeforeSamples() {
    return new ScriptedTable(
        FakeTabletServer.openBeforeSamples("first"), FakeTabletServer.openBeforeSamples("second"));
  }

  private ScriptedTable(FakeTabletServer first, FakeTabletServer second) {
    this.first = first.scans(low);
    this.second = second.scans(high);
    master.addTablet("low", new byte[0], key(100), first);
    master.addTablet("high", key(100), key(200), second);
    client = new AsyncKuduClient.AsyncKuduClientBuilder(master.address().toString()).build();
    table = NumbersTable.open(client, new PartitionSchema(List.of(), List.of(0), List.of()));
  }

  private static byte[] key(int value) {
    return FakeScans.key(value).toByteArray();
  }

  KuduTable table() {
    return table;
  }

  KuduClient client() {
    return client.syncClient();
  }

  AsyncKuduClient asyncClient() {
    return client;
  }

  /** The scans of the tablet with the low numbers. */
  FakeScans low() {
    return low;
  }

  FakeScans high() {
    return high;
  }

  FakeTabletServer firstServer() {
    return first;
  }

  PartialRow row(int k) {
    PartialRow row = table.getSchema().newPartialRow();
    row.addInt("k", k);
    return row;
  }

  @Override
  public void close() {
    client.close();
    first.close();
    second.close();
    master.close();
  }
}
