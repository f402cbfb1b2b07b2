package dev.kudu4j.client;

/** How the writes of a client are ordered relative to the reads and writes of other clients. */
public enum ExternalConsistencyMode {
  /** Each request contains the latest timestamp that the client has seen. */
  CLIENT_PROPAGATED(dev.kudu4j.common.proto.common.ExternalConsistencyMode.CLIENT_PROPAGATED),
  /** The server waits before it answers, until every clock has passed the write's timestamp. */
  COMMIT_WAIT(dev.kudu4j.common.proto.common.ExternalConsistencyMode.COMMIT_WAIT);

  private final dev.kudu4j.common.proto.common.ExternalConsistencyMode wire;

  ExternalConsistencyMode(dev.kudu4j.common.proto.common.ExternalConsistencyMode wire) {
    this.wire = wire;
  }

  /** The protobuf value. */
  public dev.kudu4j.common.proto.common.ExternalConsistencyMode pbVersion() {
    return wire;
  }
}
