// For a checkout alone: after `npm run build`, require() of its folder gives these classes. n8n needs no such file, it finds
// the nodes and the credential through the "n8n" entry of package.json; and the published package, which holds dist, has none.
const { LinkManagementApi } = require('./dist/credentials/LinkManagementApi.credentials.js');
const { LinkManagement } = require('./dist/nodes/LinkManagement/LinkManagement.node.js');
const { LinkManagementTrigger } = require('./dist/nodes/LinkManagement/LinkManagementTrigger.node.js');

module.exports = { LinkManagementApi, LinkManagement, LinkManagementTrigger };
