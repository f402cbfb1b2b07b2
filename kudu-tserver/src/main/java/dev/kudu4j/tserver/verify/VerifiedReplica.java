package dev.kudu4j.tserver.verify;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.tablet.check.IndexVerification;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.io.IOException;
import java.util.List;

/** A replica as its verification sees it. Thread-safe. */
interface VerifiedReplica {
  String tabletId();

  /** Whether it serves requests. */
  boolean isRunning();

  List<IndexDefinition> indexes();

  /** Takes long. */
  void verify(IndexVerification verification, List<IndexDefinition> indexes) throws IOException;

  /** Handles a failure to read the rows; returns the error for the requester. */
  Throwable readFailed(Throwable failure);

  static VerifiedReplica of(HostedTablet tablet) {
    return new VerifiedReplica() {
      @Override
      public String tabletId() {
        return tablet.tabletId();
      }

      @Override
      public boolean isRunning() {
        return tablet.isRunning();
      }

      @Override
      public List<IndexDefinition> indexes() {
        return tablet.tablet().descriptor().indexes();
      }

      @Override
      public void verify(IndexVerification verification, List<IndexDefinition> indexes)
          throws IOException {
        tablet.tablet().verify(verification, indexes);
      }

      @Override
      public Throwable readFailed(Throwable failure) {
        return tablet.isOpen() ? tablet.readFailed(failure) : failure;
      }
    };
  }
}
