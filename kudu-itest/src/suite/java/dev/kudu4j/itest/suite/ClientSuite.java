package dev.kudu4j.itest.suite;

import org.junit.jupiter.api.Nested;

/** All cases. A pair extends this and registers its {@code Pair}. */
public abstract class ClientSuite {
  @Nested
  class Tables extends TableCases {}

  @Nested
  class Alterations extends AlterCases {}

  @Nested
  class Partitions extends PartitionCases {}

  @Nested
  class Types extends TypeCases {}

  @Nested
  class Writes extends WriteCases {}

  @Nested
  class Sessions extends SessionCases {}

  @Nested
  class Scans extends ScanCases {}

  @Nested
  class Snapshots extends SnapshotCases {}

  @Nested
  class Tokens extends TokenCases {}

  @Nested
  class Rows extends RowCases {}

  @Nested
  class Surprises extends SurpriseCases {}

  @Nested
  class Clients extends ClientCases {}

  @Nested
  class ServerFaults extends ServerFaultCases {}
}
