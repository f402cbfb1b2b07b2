package dev.kudu4j.tablet.env;

/** The simulated store without faults fulfils the contract. */
class SimulatedFileStoreContractTest extends FileStoreContract {
  private final SimulatedFileStore store = new SimulatedFileStore();

  @Override
  FileStore store() {
    return store;
  }

  @Override
  int openFiles() {
    return store.openFiles();
  }
}
