// n8n finds the nodes and the credential through the "n8n" entry of package.json.
// This file is what `require('n8n-nodes-link-management')` answers with.
const { LinkManagementApi } = require('./dist/credentials/LinkManagementApi.credentials.js');
const { LinkManagement } = require('./dist/nodes/LinkManagement/LinkManagement.node.js');
const { LinkManagementTrigger } = require('./dist/nodes/LinkManagement/LinkManagementTrigger.node.js');

module.exports = { LinkManagementApi, LinkManagement, LinkManagementTrigger };
