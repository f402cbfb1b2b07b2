package dev.kudu4j.client;

/** How writes of one client are ordered with what other clients see. */
public enum ExternalConsistencyMode {
  /** The client passes on the last timestamp that it saw. */
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
